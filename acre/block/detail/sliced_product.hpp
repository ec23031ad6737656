// SPDX-License-Identifier: BSD-3-Clause
// c = alpha a b + beta c in tasks: a member's blocks of c, some rows at a time. Who has none left
// takes those of others in its column of the grid, whose columns of b it has read already.
//
// A task is taken by adding to a number at its owner; what a thief has made goes to the owner with
// all other shares when all tasks are done. So blocks of b are read once by each member, and at
// once: memory for them is not bounded.
#pragma once

#include <acre/block/detail/factor_indices.hpp>
#include <acre/block/detail/product_call.hpp>

#include <optional>

namespace acre::block_matrices {

/// Between the first barrier of a product and its last.
/// @param known  indices for this member's own blocks, if they have been read
template <class T>
void sliced_product(const product_call<T>& call, block_matrix<T>& c,
                    const std::optional<factor_indices>& known, multiply_report& report);

}  // namespace acre::block_matrices
