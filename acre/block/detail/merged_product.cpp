// SPDX-License-Identifier: BSD-3-Clause
#include <acre/block/detail/merged_product.hpp>

#include <cmath>

namespace acre::block_matrices {

double time_of_blocks(double products, double rows, double columns, double inner) noexcept {
  constexpr double call = 12;         // ns per kernel call
  constexpr double operations = 120;  // per ns, in full vectors of 8
  return products * (call + 2 * std::ceil(rows / 8) * 8 * columns * inner / operations);
}

double time_merged(double rows, double columns, double inner) noexcept {
  constexpr double operations = 120;
  constexpr double copy = 1;  // ns per element
  return 2 * rows * columns * inner / operations +
         copy * (rows * inner + inner * columns + 2 * rows * columns);
}

}  // namespace acre::block_matrices
