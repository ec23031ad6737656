// SPDX-License-Identifier: BSD-3-Clause
// c = alpha a b + beta c, where each member makes its own blocks of c, or in layers a share of the
// products of several members' (2.5-D).
//
// Members of a cell of the grid, layers of them, share the blocks of c of all of them: each takes
// the products of a part of the inner indices, and gives what it has made to the owners, who add it
// in the order of the members. So a member reads fewer rows of a and columns of b, each for a part
// of the inner indices, and sends shares of c for it.
#pragma once

#include <acre/block/detail/factor_indices.hpp>
#include <acre/block/detail/product_call.hpp>

#include <optional>

namespace acre::block_matrices {

/// Between the first barrier of a product and its last.
/// @param known  indices for this member's part of the product, if they have been read
template <class T>
void one_sided_product(const product_call<T>& call, block_matrix<T>& c, const layer_cell& cell,
                       const std::optional<factor_indices>& known, multiply_report& report);

}  // namespace acre::block_matrices
