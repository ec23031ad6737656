// SPDX-License-Identifier: BSD-3-Clause
#include <acre/launch/detail/running_job.hpp>

#include <utility>

namespace acre::launch {

constinit std::unique_ptr<running_job> current;

void enter(std::unique_ptr<running_job> job) noexcept {
  current = std::move(job);
  runtime::the_nodes = current.get();
  runtime::the_heaps = current.get();
}

std::unique_ptr<running_job> leave() noexcept {
  runtime::the_nodes = nullptr;
  runtime::the_heaps = nullptr;
  return std::move(current);
}

}  // namespace acre::launch
