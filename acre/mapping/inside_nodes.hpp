// SPDX-License-Identifier: BSD-3-Clause
// Maps ranks to cores within nodes by the algorithms for machines, on the node's tree.
#pragma once

#include <acre/mapping/structured.hpp>

#include <chrono>
#include <cstdint>
#include <span>
#include <vector>

namespace acre::mapping {

/// Moves ranks within their nodes if the mapping of the node's tree improves by
/// metrics::better_than. Nodes not reached in time stay unchanged.
///
/// @param inside children per level, outermost first: {2, 4, 8} is two packages of four NUMA
/// domains of eight cores
/// @throws acre::error if a node has more slots than cores, or not 1 to 2^20 cores
[[nodiscard]] placement arranged_inside_nodes(const problem& given, placement places,
                                              std::span<const std::uint32_t> inside,
                                              std::chrono::milliseconds at_most);

/// Bytes between ranks of a node, by the outermost level of `inside` crossed.
[[nodiscard]] std::vector<double> bytes_inside_nodes(const problem& given, const placement& places,
                                                     std::span<const std::uint32_t> inside);

}  // namespace acre::mapping
