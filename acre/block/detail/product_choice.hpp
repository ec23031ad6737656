// SPDX-License-Identifier: BSD-3-Clause
// Chooses algorithm and layers of a product: by load balance on one node, else by traffic. With l
// layers, members read 1 / sqrt(l) of the bytes, but send partial sums of c.
#pragma once

#include <acre/block/detail/factor_indices.hpp>
#include <acre/block/detail/product_call.hpp>

#include <optional>

namespace acre::block_matrices {

struct product_choice {
  multiply_algorithm algorithm = multiply_algorithm::one_sided;
  layer_cell cell{};
  std::optional<factor_indices> indices{};
};

/// Bytes per member, if evenly distributed.
/// @param of_a, of_b, of_c  bytes of all blocks
[[nodiscard]] double expected_traffic(const member_grid& grid, const layer_cell& cell, double of_a,
                                      double of_b, double of_c) noexcept;

/// Collective, within barriers. Cost, unless options or a single member decide: one node: 1 or 2
/// allreduces and reading indices; else 1 allreduce.
template <class T>
[[nodiscard]] product_choice choose(const product_call<T>& call, const block_matrix<T>& c);

}  // namespace acre::block_matrices
