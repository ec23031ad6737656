// What else is done with block matrices: copies, sums, norms, diagonals.
#pragma once

#include <acre/base/site.hpp>
#include <acre/sparse/block_matrix.hpp>
#include <acre/sparse/block_multiply.hpp>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace acre {

namespace detail {

/// Puts all blocks of a matrix, both halves of one with a symmetry, turned as is said, into another,
/// of any distribution of the same team, in which nothing else is staged. Collective.
template <class T>
void copy_blocks(const block_matrix<T>& from, block_transposition how, block_matrix<T>& to,
                 const site& where);

}  // namespace detail

}  // namespace acre
