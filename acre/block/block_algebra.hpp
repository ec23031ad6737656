// SPDX-License-Identifier: BSD-3-Clause
// Algebra of block matrices; collective. Returned numbers are bitwise equal on all members;
// rounding depends on the number of members.
//
//     acre::block_matrix<double> x = acre::copy(a);
//     acre::add(-0.5, a, 1.5, x);                           // x = 1.5 x - 0.5 a
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

/// Returns a copy. Cost: B, 2 allgathers and 1 allreduce, l per element.
template <class T>
[[nodiscard]] block_matrix<T> copy(const block_matrix<T>& a, const site& where = site::current());
/// Copies to another distribution of the team; keeps the symmetry. Cost: construction and
/// finalise().
/// @throws acre::error on all members when block sizes differ
template <class T>
[[nodiscard]] block_matrix<T> redistribute(const block_matrix<T>& a, const block_distribution& lies,
                                           const site& where = site::current());
/// Transposes, to block_distribution::transposed() or `lies`; the result has no symmetry.
template <class T>
[[nodiscard]] block_matrix<T> transpose(const block_matrix<T>& a,
                                        const site& where = site::current());
template <class T>
[[nodiscard]] block_matrix<T> transpose(const block_matrix<T>& a, const block_distribution& lies,
                                        const site& where = site::current());

/// a = alpha a. Cost: 2 B, l per element.
/// @throws acre::error on all members when a is hermitian and alpha not real
template <class T>
void scale(std::type_identity_t<T> alpha, block_matrix<T>& a, const site& where = site::current());
/// b = alpha a + beta b, with the blocks of both, for any distributions. Cost: 1 allreduce and
/// finalise().
/// @throws acre::error on all members when block sizes or teams differ, b has a symmetry that a has
/// not, b is hermitian and a factor not real, b has staged blocks, or memory is missing
template <class T>
void add(std::type_identity_t<T> alpha, const block_matrix<T>& a, std::type_identity_t<T> beta,
         block_matrix<T>& b, const site& where = site::current());
/// Drops blocks of Frobenius norm < `threshold`; later changes free their memory. Cost: 2 B.
template <class T>
void filter(block_matrix<T>& a, double threshold, const site& where = site::current());

/// Number of blocks stored on all members. Cost, also of the next five: 1 allreduce;
/// frobenius_norm() up to 3, on overflow or underflow.
template <class T>
[[nodiscard]] std::size_t stored_blocks(const block_matrix<T>& a,
                                        const site& where = site::current());
/// Fraction of elements stored, counting both triangles.
template <class T>
[[nodiscard]] double occupancy(const block_matrix<T>& a, const site& where = site::current());
// trace(), dot() and frobenius_norm(): exact sums over blocks, the same bits on any members.

/// @throws acre::error unless row and column blocks are equal
template <class T>
[[nodiscard]] T trace(const block_matrix<T>& a, const site& where = site::current());
/// Sum of a(i, j) b(i, j).
/// @throws acre::error when distributions, symmetries or teams differ
template <class T>
[[nodiscard]] T dot(const block_matrix<T>& a, const block_matrix<T>& b,
                    const site& where = site::current());
template <class T>
[[nodiscard]] double frobenius_norm(const block_matrix<T>& a, const site& where = site::current());
/// Maximum absolute row sum, which bounds eigenvalues. Memory: one number per row.
template <class T>
[[nodiscard]] double largest_row_sum(const block_matrix<T>& a, const site& where = site::current());

/// a = a + alpha 1 (identity), creating diagonal blocks. Cost: 1 allreduce and finalise().
/// @throws acre::error on all members when row and column blocks differ, the symmetry excludes the
/// diagonal, or a has staged blocks
template <class T>
void add_on_diagonal(block_matrix<T>& a, std::type_identity_t<T> alpha,
                     const site& where = site::current());
/// Diagonal elements, on all members.
template <class T>
[[nodiscard]] std::vector<T> diagonal(const block_matrix<T>& a,
                                      const site& where = site::current());
/// Calls finalise(), then sets the diagonal; values other than 0 create missing blocks. Cost: 1
/// allreduce and 2 finalise().
/// @throws acre::error unless row and column blocks are equal, for a wrong size, or if the symmetry
/// excludes the values
template <class T>
void set_diagonal(block_matrix<T>& a, std::span<const std::type_identity_t<T>> values,
                  const site& where = site::current());

/// Replaces all blocks by random ones, independent of the distribution. With h = split_mix(), block
/// (i, j) of seed s has b = h(h(s) + 2^32 i + j), and is present if b / 2^64 < `occupancy`; real
/// element e, column-major, is h(b + e), scaled to [-1, 1). With a symmetry diagonal blocks are
/// averaged with their mirror.
template <class T>
void fill_at_random(block_matrix<T>& a, double occupancy, std::uint64_t seed,
                    const site& where = site::current());

}  // namespace acre
