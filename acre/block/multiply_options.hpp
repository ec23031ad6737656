// SPDX-License-Identifier: BSD-3-Clause
// Options of a product of block matrices (block_multiply.hpp), and its report.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

namespace acre {

enum class multiply_algorithm : std::uint8_t { automatic, one_sided, slicing, cannon };

/// Blocks first … last - 1.
struct block_interval {
  std::size_t first = 0;
  std::size_t last = std::numeric_limits<std::size_t>::max();  ///< clamped to the number of blocks

  [[nodiscard]] constexpr bool contains(std::size_t block) const noexcept {
    return first <= block && block < last;
  }
};

struct multiply_options {
  /// Omits products of two blocks whose norms multiply to less, then blocks of c with a smaller
  /// norm; 0: no filter.
  double filter = 0;
  /// Computes only blocks that c has.
  bool keep_pattern = false;
  /// Block rows, block columns and inner blocks to multiply; other blocks of c are unchanged.
  block_interval rows{};
  block_interval columns{};
  block_interval inner{};
  multiply_algorithm algorithm = multiply_algorithm::automatic;
  /// Members per part of c in one_sided, rounded down. 0: 1 for one_sided; for automatic, by
  /// expected traffic.
  std::size_t layers = 0;
  /// Bytes of remote blocks that one_sided holds at once, at least one block row of b with its
  /// blocks of a; 0: a quarter of the free segment.
  std::size_t memory = 0;
  /// Threads of each rank, at most 1024. 0: OMP_NUM_THREADS, else one per core of this rank; fewer
  /// for small products. Does not change the result.
  unsigned threads = 0;
};

/// Algorithm and counts of this rank.
struct multiply_report {
  multiply_algorithm algorithm = multiply_algorithm::one_sided;
  std::size_t layers = 1;
  std::uint64_t products = 0;    ///< of blocks
  std::uint64_t operations = 0;  ///< floating-point
  std::size_t bytes_read = 0;    ///< of other nodes; cannon: all panels
  std::size_t bytes_sent = 0;    ///< of results, to other members
  std::size_t tasks_taken = 0;   ///< stolen, in slicing
};

}  // namespace acre
