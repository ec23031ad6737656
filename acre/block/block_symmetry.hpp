// SPDX-License-Identifier: BSD-3-Clause
// Symmetry of a block matrix.
#pragma once

#include <cstddef>
#include <cstdint>

namespace acre {

/// Relation of the lower triangle to the stored upper one.
enum class block_symmetry : std::uint8_t {
  none,
  symmetric,      ///< (j, i) is (i, j) transposed
  antisymmetric,  ///< and negated
  hermitian       ///< and conjugated
};

[[nodiscard]] constexpr bool is_stored(block_symmetry symmetry, std::size_t row,
                                       std::size_t column) noexcept {
  return symmetry == block_symmetry::none || row <= column;
}

}  // namespace acre
