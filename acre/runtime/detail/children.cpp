#include <acre/runtime/detail/children.hpp>

#include <pthread.h>

namespace acre::runtime::detail {

void take_static_data_back(const running_job& job) noexcept {
  if (job.static_data.empty()) return;
  job.memory->map_copy_over(job.static_data.data(), job.static_offset, job.static_data.size());
}

namespace {

/// By fork(): what the parent's network has opened since it has been asked last.
void keep_network_to_parent() noexcept try {
  if (current != nullptr && current->conduit != nullptr) current->conduit->close_on_exec();
} catch (...) {
  // There is no memory for a list of them: the child gets what there is.
}

void leave_job_to_parent() noexcept {
  if (current == nullptr) return;
  take_static_data_back(*current);
  [[maybe_unused]] static const running_job* const parents = current.release();
  abandoned = true;
}

}  // namespace

void watch_for_children() {
  [[maybe_unused]] static const int watched =
      ::pthread_atfork(keep_network_to_parent, nullptr, leave_job_to_parent);
}

}  // namespace acre::runtime::detail
