// SPDX-License-Identifier: BSD-3-Clause
#include <acre/launch/detail/running_job.hpp>

#include <utility>

namespace acre::runtime::detail {

constinit std::unique_ptr<running_job> current;

void enter(std::unique_ptr<running_job> job) noexcept {
  current = std::move(job);
  the_nodes = current.get();
  the_heaps = current.get();
}

std::unique_ptr<running_job> leave() noexcept {
  the_nodes = nullptr;
  the_heaps = nullptr;
  return std::move(current);
}

}  // namespace acre::runtime::detail
