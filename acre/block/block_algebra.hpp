// SPDX-License-Identifier: BSD-3-Clause
// What else is done with block matrices: copies, sums, norms, filters, diagonals.
//
//     acre::block_matrix<double> x = acre::copy(a);
//     acre::add(-0.5, a, 1.5, x);                           // x = -a / 2 + 3 x / 2
//     acre::add_on_diagonal(x, 1.0);
//     if (acre::frobenius_norm(x) < 1e-8 && acre::trace(x) > 0) acre::filter(x, 1e-6);
//
// All are collective. Numbers that they return are the same bits on all members; sums are made by
// member, so that another number of members may round otherwise.
#pragma once

#include <acre/base/site.hpp>
#include <acre/block/block_matrix.hpp>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace acre {

// --- other places, other shapes -----------------------------------------------------------

/// The same blocks at the same members. Cost: 2 B and 1 allgather, l for each element.
template <class T>
[[nodiscard]] block_matrix<T> copy(const block_matrix<T>& a, const site& where = site::current());
/// The same blocks where another distribution of the same team has them; one of a matrix with a
/// symmetry has it too. Cost: that of finalise().
/// @throws acre::error on all members when the distribution has other blocks
template <class T>
[[nodiscard]] block_matrix<T> redistribute(const block_matrix<T>& a, const block_distribution& lies,
                                           const site& where = site::current());
/// Rows and columns exchanged, where block_distribution::transposed() has them, or elsewhere.
template <class T>
[[nodiscard]] block_matrix<T> transpose(const block_matrix<T>& a,
                                        const site& where = site::current());
template <class T>
[[nodiscard]] block_matrix<T> transpose(const block_matrix<T>& a, const block_distribution& lies,
                                        const site& where = site::current());

// --- sums -----------------------------------------------------------------------------------

/// a = alpha a. Cost: B, l for each element.
/// @throws acre::error on all members when a is hermitian and alpha not real
template <class T>
void scale(std::type_identity_t<T> alpha, block_matrix<T>& a, const site& where = site::current());
/// b = alpha a + beta b: b has the blocks of both. Any distributions. Cost: that of finalise().
/// @throws acre::error on all members when rows, columns, teams or symmetries differ, b is
///         hermitian and a factor not real, or b has blocks that wait for finalise()
template <class T>
void add(std::type_identity_t<T> alpha, const block_matrix<T>& a, std::type_identity_t<T> beta,
         block_matrix<T>& b, const site& where = site::current());
/// Drops the blocks whose Frobenius norm is below a threshold. Their memory is free when a is made
/// anew, by finalise() or as a product. Cost: 2 B.
template <class T>
void filter(block_matrix<T>& a, double threshold, const site& where = site::current());

// --- numbers --------------------------------------------------------------------------------

/// How many blocks are stored, by all members. Cost: 1 allreduce, as of the others.
template <class T>
[[nodiscard]] std::size_t stored_blocks(const block_matrix<T>& a,
                                        const site& where = site::current());
/// The share of the elements that lie in stored blocks; of one with a symmetry, of both halves.
template <class T>
[[nodiscard]] double occupancy(const block_matrix<T>& a, const site& where = site::current());
/// The sum of the diagonal elements.
/// @throws acre::error when the matrix is not square
template <class T>
[[nodiscard]] T trace(const block_matrix<T>& a, const site& where = site::current());
/// The sum of a(i, j) b(i, j): the trace of a times b transposed. Both lie alike.
/// @throws acre::error when they do not
template <class T>
[[nodiscard]] T dot(const block_matrix<T>& a, const block_matrix<T>& b,
                    const site& where = site::current());
template <class T>
[[nodiscard]] double frobenius_norm(const block_matrix<T>& a, const site& where = site::current());
/// The largest sum of absolute values of a row: no eigenvalue is larger. Memory: a row of numbers.
template <class T>
[[nodiscard]] double largest_row_sum(const block_matrix<T>& a, const site& where = site::current());

// --- diagonals --------------------------------------------------------------------------------

/// a = a + alpha 1: blocks of the diagonal that are absent are made. Cost: that of finalise().
/// @throws acre::error on all members when rows and columns are not cut alike, the symmetry has no
///         such diagonal, or a has blocks that wait for finalise()
template <class T>
void add_on_diagonal(block_matrix<T>& a, std::type_identity_t<T> alpha,
                     const site& where = site::current());
/// All elements of the diagonal, on all members; of absent blocks 0.
template <class T>
[[nodiscard]] std::vector<T> diagonal(const block_matrix<T>& a,
                                      const site& where = site::current());
/// Writes them, after finalise(); those that are not 0 make blocks.
/// @throws acre::error when they are not as many as the matrix has rows, or the symmetry has no
///         such diagonal
template <class T>
void set_diagonal(block_matrix<T>& a, std::span<const std::type_identity_t<T>> values,
                  const site& where = site::current());

// --- random matrices --------------------------------------------------------------------------

/// Makes blocks at random, each with the probability `occupancy`, its elements between -1 and 1:
/// the same for the same seed on any number of members, in any distribution. What there was is
/// dropped. With h = split_mix(), block (i, j) of seed s has b = h(h(s) + 2^32 i + j): it is there
/// when b / 2^64 is below the occupancy, and its real element e, by columns, is h(b + e) in 53
/// bits.
template <class T>
void fill_at_random(block_matrix<T>& a, double occupancy, std::uint64_t seed,
                    const site& where = site::current());

}  // namespace acre
