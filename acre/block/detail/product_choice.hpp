// SPDX-License-Identifier: BSD-3-Clause
// Which algorithm makes a product, and in how many layers, where the caller leaves it open.
//
// On one node blocks are multiplied where they lie: what counts is that all members have the same
// work, and tasks are taken from those that have more. Between nodes it is what a member reads and
// sends: with l layers it reads about 1 / sqrt(l) of what it would in one, and sends shares of c.
#pragma once

#include <acre/block/detail/factor_indices.hpp>
#include <acre/block/detail/product_call.hpp>

#include <optional>

namespace acre::block_matrices {

struct product_choice {
  multiply_algorithm algorithm = multiply_algorithm::one_sided;
  layer_cell cell{};
  /// Indices for this member's part in such cells, if the choice has read them.
  std::optional<factor_indices> indices{};
};

/// What a member reads and sends, in bytes, as if blocks lay evenly.
/// @param of_a, of_b, of_c  bytes of all blocks
[[nodiscard]] double expected_traffic(const member_grid& grid, const layer_cell& cell, double of_a,
                                      double of_b, double of_c) noexcept;

/// Between the barriers of a collective. Collective. Cost: 1 or 2 allreduces on a node, and reading
/// the indices; 1 allreduce between nodes.
template <class T>
[[nodiscard]] product_choice choose(const product_call<T>& call, const block_matrix<T>& c);

}  // namespace acre::block_matrices
