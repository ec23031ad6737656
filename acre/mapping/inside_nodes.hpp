// SPDX-License-Identifier: BSD-3-Clause
// Which core of its node a rank sits on.
//
// A node is a small machine: packages with NUMA domains with cores. Once ranks have
// their nodes, those of each node are mapped into it, as a tree of its places, by the
// algorithms that map jobs into machines. This is the inner part of the mapping by
// levels of the DASH paper.
#pragma once

#include <acre/mapping/structured.hpp>

#include <chrono>
#include <cstdint>
#include <span>
#include <vector>

namespace acre::mapping {

/// Ranks keep their nodes; in each of these, ranks that exchange much come to sit near each other.
/// Nodes that time does not suffice for stay as they were. In no node ranks exchange over longer
/// ways than before, by metrics::better_than on the tree of its places.
/// @param inside how many places each place of a node holds, the outermost first: {2, 4, 8} for two
///               packages of four NUMA domains of eight cores; slot i of a node is its core i
/// @throws acre::error when a node has more slots than cores, or `inside` more than 2^20 cores
[[nodiscard]] placement arranged_inside_nodes(const problem& given, placement places,
                                              std::span<const std::uint32_t> inside,
                                              std::chrono::milliseconds at_most);

/// The bytes between ranks of one node: those between its outermost places first.
[[nodiscard]] std::vector<double> bytes_inside_nodes(const problem& given, const placement& places,
                                                     std::span<const std::uint32_t> inside);

}  // namespace acre::mapping
