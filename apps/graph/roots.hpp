// SPDX-License-Identifier: BSD-3-Clause
// Start vertices of searches.
#pragma once

#include <acre/csr/csr_matrix.hpp>

#include <apps/graph/kernels.hpp>

#include <cstdint>
#include <vector>

namespace acre::graph {

/// The requested root; or distinct ones with edges, possibly fewer than `roots`.
/// @throws acre::error if it does not exist, or the graph has no edges
[[nodiscard]] std::vector<std::uint64_t> roots_of(const csr_graph& graph,
                                                  const search_request& wanted);

/// Distinct vertices, equal on all ranks; all in order if `count` is not less.
[[nodiscard]] std::vector<std::uint64_t> sample_of(std::uint64_t vertices, std::uint64_t seed,
                                                   std::uint64_t count);

}  // namespace acre::graph
