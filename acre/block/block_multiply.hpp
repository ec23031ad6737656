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
#include <acre/block/block_matrix.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace acre {

/// How a factor is taken.
enum class block_transposition : std::uint8_t { none, transposed, conjugate_transposed };

/// A factor of a product: a matrix, or what transposed() makes of one. It refers to the matrix.
template <block_element T>
class block_factor {
 public:
  block_factor(const block_matrix<T>& matrix) noexcept : matrix_(&matrix) {}
  block_factor(const block_matrix<T>& matrix, block_transposition how) noexcept
      : matrix_(&matrix), how_(how) {}

  [[nodiscard]] const block_matrix<T>& matrix() const noexcept { return *matrix_; }
  [[nodiscard]] block_transposition how() const noexcept { return how_; }
  [[nodiscard]] const block_sizes& rows() const {
    return how_ == block_transposition::none ? matrix_->rows() : matrix_->columns();
  }
  [[nodiscard]] const block_sizes& columns() const {
    return how_ == block_transposition::none ? matrix_->columns() : matrix_->rows();
  }

 private:
  const block_matrix<T>* matrix_;
  block_transposition how_ = block_transposition::none;
};

/// The matrix with its rows and columns exchanged, as a factor. A product makes a copy of it.
template <class T>
[[nodiscard]] block_factor<T> transposed(const block_matrix<T>& matrix) noexcept {
  return {matrix, block_transposition::transposed};
}
template <class T>
[[nodiscard]] block_factor<T> conjugate_transposed(const block_matrix<T>& matrix) noexcept {
  return {matrix, block_transposition::conjugate_transposed};
}

enum class multiply_algorithm : std::uint8_t { automatic, one_sided, slicing, cannon };

/// Rows or columns of blocks: first … last - 1.
struct block_interval {
  std::size_t first = 0;
  std::size_t last = std::numeric_limits<std::size_t>::max();  ///< or as many as there are

  [[nodiscard]] constexpr bool contains(std::size_t block) const noexcept {
    return first <= block && block < last;
  }
};

struct multiply_options {
  /// Products of two blocks whose norms have a product below this are left out, and then blocks of
  /// c whose norm is. 0: none. (DBCSR divides its filter by the number of blocks in a row for the
  /// products, so the same number leaves out fewer there.)
  double filter = 0;
  /// Only blocks that c has already are made.
  bool keep_pattern = false;
  /// Only products of these blocks; blocks of c outside of these rows and columns stay as they are.
  block_interval rows{};
  block_interval columns{};
  block_interval inner{};
  multiply_algorithm algorithm = multiply_algorithm::automatic;
  /// Of one_sided: members that share a part of c, 0: as the cost model says.
  std::size_t layers = 0;
  /// Blocks of other nodes that this rank keeps at once, in bytes; 0: a quarter of what its segment
  /// has free. One row of blocks of b, and what it meets of a, may exceed it.
  std::size_t memory = 0;
};

/// What a product has taken, of this rank.
struct multiply_report {
  multiply_algorithm algorithm = multiply_algorithm::one_sided;
  std::size_t layers = 1;
  std::uint64_t products = 0;    ///< of blocks
  std::uint64_t operations = 0;  ///< of floating point
  std::size_t bytes_read = 0;    ///< from other nodes: indices and blocks
  std::size_t bytes_sent = 0;    ///< to other members: shares of their blocks, in layers and tasks
  std::size_t tasks_taken = 0;   ///< of others', in slicing
};

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
