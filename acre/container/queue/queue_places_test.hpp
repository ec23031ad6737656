// SPDX-License-Identifier: BSD-3-Clause
// Predicates on a test queue's host.
#pragma once

#include <acre/global/team/hosted_memory.hpp>
#include <acre/runtime/world.hpp>

namespace acre::testing {

bool is_host(const auto& queue) { return queue.host().is_this_rank(); }
bool is_near(const auto& queue) {
  return runtime::node_of(queue.host().world_rank()) == runtime::node_of(rank());
}
inline hosted_by last_rank() { return {size() - 1}; }

}  // namespace acre::testing
