#include <acre/global/collective_end.hpp>

#include <acre/base/error.hpp>
#include <acre/runtime/job.hpp>
#include <acre/runtime/lost_failure.hpp>

#include <exception>
#include <string>

namespace acre {

void detail::throw_no_object(const char* call, const char* what, const char* maker) {
  throw error(call, std::string("there is no ") + what + ": it was moved away, or never made",
              std::string("make one with ") + maker);
}

collective_end::collective_end() noexcept : exceptions_(std::uncaught_exceptions()) {}

bool collective_end::is_orderly() const noexcept {
  return size() != 0 && !runtime::job_is_abandoned() && std::uncaught_exceptions() <= exceptions_;
}

bool collective_end::release(team_block& block, const team& members) const noexcept {
  if (!is_orderly()) {
    block.abandon();
    return false;
  }
  try {
    // What user code has thrown meanwhile is for a later call: this one is about the others.
    const runtime::failures_held until_all_are_here;
    members.barrier();
    return true;
  } catch (...) {
    runtime::keep_lost_failure(std::current_exception());
    block.abandon();
    return false;
  }
}

}  // namespace acre
