// SPDX-License-Identifier: BSD-3-Clause
// Options of a product of block matrices (block_multiply.hpp), and its report.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

namespace acre {

enum class multiply_algorithm : std::uint8_t { automatic, one_sided, slicing, cannon };

/// Rows or columns of blocks: first … last - 1.
struct block_interval {
  std::size_t first = 0;
  std::size_t last =
      std::numeric_limits<std::size_t>::max();  ///< or the number of blocks, if that is less

  [[nodiscard]] constexpr bool contains(std::size_t block) const noexcept {
    return first <= block && block < last;
  }
};

struct multiply_options {
  /// The product of two blocks is left out if the product of their norms is below this. Then blocks
  /// of c are left out whose norm is below this. 0: no filter. (For the products, DBCSR divides its
  /// filter by the number of blocks in a row, so the same number leaves out fewer there.)
  double filter = 0;
  /// c gets no blocks that it does not have.
  bool keep_pattern = false;
  /// Only products of these blocks; blocks of c outside of these rows and columns stay as they are.
  block_interval rows{};
  block_interval columns{};
  block_interval inner{};
  multiply_algorithm algorithm = multiply_algorithm::automatic;
  /// Members that share a part of c, in one_sided. 0: chosen by the cost model.
  std::size_t layers = 0;
  /// Bytes of blocks of other nodes that this rank keeps at once; 0: a quarter of the free bytes of
  /// its segment. One row of blocks of b, and the blocks of a that it meets, may exceed it.
  std::size_t memory = 0;
};

/// Work and traffic of a product, on this rank.
struct multiply_report {
  multiply_algorithm algorithm = multiply_algorithm::one_sided;
  std::size_t layers = 1;
  std::uint64_t products = 0;    ///< of blocks
  std::uint64_t operations = 0;  ///< of floating point
  std::size_t bytes_read = 0;    ///< from other nodes: indices and blocks
  std::size_t bytes_sent = 0;    ///< to other members: shares of their blocks, in layers and tasks
  std::size_t tasks_taken = 0;   ///< of other members, in slicing
};

}  // namespace acre
