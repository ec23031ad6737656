#include <acre/global/succeed_together.hpp>

#include <acre/base/error.hpp>
#include <acre/global/reduction.hpp>

#include <algorithm>
#include <cstdint>
#include <string>

namespace acre::detail {
namespace {

/// What the members tell each other at the end of a step.
struct outcome {
  std::uint64_t least;  ///< digest of what a member means
  std::uint64_t greatest;
  std::uint64_t has_failed;
};

}  // namespace

bool has_failed_anywhere(const team& members, bool here, const site& where) {
  return members.allreduce(here, op::logical_or, where);
}

bool has_failed_anywhere(const team& members, bool here, const common_call& mine) {
  const auto combine = [](const outcome& a, const outcome& b) {
    return outcome{std::min(a.least, b.least), std::max(a.greatest, b.greatest),
                   a.has_failed | b.has_failed};
  };
  const outcome all = members.allreduce(outcome{mine.digest(), mine.digest(), here ? 1U : 0U},
                                        combine, mine.where());
  if (all.least != all.greatest) throw_calls_differ(members, mine);
  return all.has_failed != 0;
}

void throw_failed_elsewhere(const char* call, const site& where, const char* what) {
  throw error(call, std::string(what) + " failed on another member" + describe_place(where),
              "that member's exception says why");
}

}  // namespace acre::detail
