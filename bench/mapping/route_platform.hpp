// SPDX-License-Identifier: BSD-3-Clause
// SimGrid platform with a route for each pair of nodes, for networks without a SimGrid cluster.
#pragma once

#include <acre/topology/network.hpp>

#include <cstdint>
#include <string>

namespace acre::bench {

/// Returns XML; hosts n0, n1, … have `cores` cores and a loopback 100 times as fast as `injection`.
/// @param injection bytes/s between a node and its router, each way
/// @throws acre::error for more than 512 nodes
[[nodiscard]] std::string route_platform(const topology::network& network, std::uint32_t cores,
                                         double injection);

}  // namespace acre::bench
