// SPDX-License-Identifier: BSD-3-Clause
// Products of block matrices: c = alpha a b + beta c.
//
//     acre::multiply(1.0, a, acre::transposed(b), 1.0, c, {.filter = 1e-8});
//
// - one_sided: members read blocks of a and b for their blocks of c; with layers (2.5-D) each
// computes a part of several members' products.
// - slicing: small tasks by rows; idle members steal.
// - cannon: panels shift between grid neighbours; the reference.
//
// Sources: Lazzaro et al. (2017, layers); Cannon (1969).
#pragma once

#include <acre/base/site.hpp>
#include <acre/block/block_factor.hpp>
#include <acre/block/block_matrix.hpp>
#include <acre/block/multiply_options.hpp>

#include <type_traits>

namespace acre {

/// c = alpha a b + beta c; c may be a or b. Collective. If beta is 0 and keep_pattern false, c has
/// the product's blocks only; if alpha is 0, a and b are ignored. Factors with a symmetry are
/// copied in full. If c has a symmetry, only the upper triangle is computed; the product's symmetry
/// is not checked. Options refer to stored blocks.
///
/// Equal calls on the same ranks give equal bits, with any number of threads, except with stolen
/// tasks. With LIBXSMM, float and double in one_sided with one layer and filter > 0 are also
/// independent of the ranks of a node.
///
/// Cost of one_sided with one layer: B, 2 to 4 allreduces, R per header and index of owners of rows
/// of a and columns of b, R per contiguous run of blocks; memory: c twice, plus for dense products
/// at most 160 MiB, and 48 MiB per further thread.
/// @throws acre::error on all members, with c unchanged, when extents or teams differ, c has staged
/// blocks, or memory is missing
template <class T>
multiply_report multiply(std::type_identity_t<T> alpha,
                         const std::type_identity_t<block_factor<T>>& a,
                         const std::type_identity_t<block_factor<T>>& b,
                         std::type_identity_t<T> beta, block_matrix<T>& c,
                         const multiply_options& options = {}, const site& where = site::current());

}  // namespace acre
