// SPDX-License-Identifier: BSD-3-Clause
// Start vertices of searches.
#pragma once

#include <acre/csr/csr_matrix.hpp>

#include <cstdint>
#include <vector>

namespace acre::graph {

/// Distinct, with edges; possibly fewer than `count`.
/// @throws acre::error if the graph has no edges
[[nodiscard]] std::vector<std::uint64_t> roots_of(const csr_graph& graph, std::uint64_t seed,
                                                  unsigned count);

}  // namespace acre::graph
