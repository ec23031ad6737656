// SPDX-License-Identifier: BSD-3-Clause
// Products of block matrices: c = alpha a b + beta c.
//
//     acre::multiply(1.0, a, b, 0.0, c);
//     acre::multiply(1.0, a, acre::transposed(b), 1.0, c, {.filter = 1e-8});
//     const acre::multiply_report said = acre::multiply(…);
//
// Three algorithms stand behind one call:
//   one_sided  each member makes blocks of c, its own or, in layers, a share of the products of
//              several members' blocks (2.5-D), and reads what it needs of a and b one-sided: no
//              other member takes part. What is on its node it multiplies where it lies.
//   slicing    the same in small tasks, by rows; who has no more takes tasks of others.
//   cannon     members pass panels of a and b to their neighbours in the grid, step by step: the
//              reference that the others are compared with.
//
// Norms of blocks are part of the index, so what the filter leaves out is neither read nor
// multiplied. A. Lazzaro, J. VandeVondele, J. Hutter, O. Schütt, "Increasing the efficiency of
// sparse matrix-matrix multiplication with a 2.5D algorithm and one-sided MPI" (2017) has layers;
// L. E. Cannon, "A cellular computer to implement the Kalman filter algorithm" (1969), the shifts.
#pragma once

#include <acre/base/site.hpp>
#include <acre/block/block_factor.hpp>
#include <acre/block/block_matrix.hpp>
#include <acre/block/multiply_options.hpp>

#include <type_traits>

namespace acre {

/// c = alpha a b + beta c, where c may be a or b. Collective. With beta 0, and without
/// keep_pattern, c has the blocks that the product has; with alpha 0, a and b count for nothing.
/// Factors may have a symmetry: a product makes a copy of one with both halves. A c with a symmetry
/// gets the upper triangle alone, whether the product has that symmetry or not; what is below
/// follows from it, and rows and columns of the options are those of the blocks that it stores.
/// Sums are made in the order of the inner index, so that the same call on the same ranks gives the
/// same bits, but by slicing where tasks are taken; of float and double, where Acre was built with
/// LIBXSMM, also on any number of ranks of one node by one_sided in one layer, with any filter
/// above 0: without one, factors that have nearly all of their blocks are multiplied as dense
/// matrices, which begin elsewhere on other ranks. Cost of one_sided: 2 B, 1 to 3 allreduces, R for
/// each heading and index of those who hold rows of a and columns of b, and R for each run of
/// blocks that follow each other at their owner; memory: c twice, and where dense matrices are
/// multiplied 160 MiB at most.
/// @throws acre::error on all members, and c is as it was, when rows and columns do not fit, the
///         matrices are of different teams, c has blocks that wait for finalise(), or there is no
///         room; where blocks are sent to their owners (in layers and slicing, or of intervals) c
///         may be only scaled when its owners have none
template <class T>
multiply_report multiply(std::type_identity_t<T> alpha,
                         const std::type_identity_t<block_factor<T>>& a,
                         const std::type_identity_t<block_factor<T>>& b,
                         std::type_identity_t<T> beta, block_matrix<T>& c,
                         const multiply_options& options = {}, const site& where = site::current());

}  // namespace acre
