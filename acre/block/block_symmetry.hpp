// SPDX-License-Identifier: BSD-3-Clause
// Symmetries of block matrices.
#pragma once

#include <cstddef>
#include <cstdint>

namespace acre {

/// How the blocks of the lower triangle, which are not stored, follow from those of the upper one.
enum class block_symmetry : std::uint8_t {
  none,           ///< all blocks are stored
  symmetric,      ///< (j, i) is the transposed of (i, j)
  antisymmetric,  ///< and its negative
  hermitian       ///< and its conjugate
};

/// Whether a matrix stores a block itself, and not the one across the diagonal.
[[nodiscard]] constexpr bool is_stored(block_symmetry symmetry, std::size_t row,
                                       std::size_t column) noexcept {
  return symmetry == block_symmetry::none || row <= column;
}

}  // namespace acre
