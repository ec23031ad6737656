// SPDX-License-Identifier: BSD-3-Clause
// Test job of one process with several nodes: each rank's data is this rank's, and a loopback wire
// returns messages and puts. Requires ACRE_RANKS_PER_NODE=1 and ACRE_CONDUIT=loopback. Algorithms
// with roles (trees) hang.
#pragma once

#include <acre/fabric/loopback.hpp>
#include <acre/runtime/bootstrap.hpp>

#include <memory>

namespace acre::launch {

[[nodiscard]] std::unique_ptr<runtime::bootstrap> make_mirror(
    std::shared_ptr<fabric::loopback_wire> wire, fabric::rank_t size = 2);

}  // namespace acre::launch
