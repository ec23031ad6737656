// SPDX-License-Identifier: BSD-3-Clause
// Copies block matrices to any distribution.
#pragma once

#include <acre/base/site.hpp>
#include <acre/block/block_factor.hpp>
#include <acre/block/block_matrix.hpp>

namespace acre::block_matrices {

/// Copies all blocks; both triangles if only `from` has a symmetry. `to` has no staged blocks.
/// Collective.
template <class T>
void copy_blocks(const block_matrix<T>& from, block_transposition how, block_matrix<T>& to,
                 const site& where);

}  // namespace acre::block_matrices
