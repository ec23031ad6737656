// SPDX-License-Identifier: BSD-3-Clause
// Algorithm, options and expected cost of a matrix product.
//
//     acre::multiply(1.0, a, b, 0.0, c, {}, {.algorithm = acre::product_algorithm::keeps_c});
#pragma once

#include <acre/layout/box.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace acre {

/// Operand whose owners compute with their elements.
enum class product_algorithm : std::uint8_t {
  keeps_c,  ///< each member computes its elements of c
  keeps_a,  ///< each multiplies its a; owners of c add
  keeps_b,  ///< each multiplies its b; owners of c add
  grid      ///< a grid of members; owners of c add
};
[[nodiscard]] const char* name_of(product_algorithm algorithm) noexcept;
/// Old name, until 0.2.
using product_way [[deprecated("use product_algorithm")]] = product_algorithm;

/// Options of a product, equal on all members.
struct product_options {
  /// Default: the cheapest. keeps_c replaces an algorithm without a fitting grid or with an owner
  /// outside of the team of c.
  std::optional<product_algorithm> algorithm = std::nullopt;
  /// Maximum bytes in a member's segment for partial sums. Algorithms that need more are
  /// excluded, unless only one is possible.
  std::size_t memory = std::size_t{256} << 20;
};
/// Old name, until 0.2.
using product_wishes [[deprecated("use product_options")]] = product_options;

/// Estimates of the chosen algorithm, equal on all members.
struct product_report {
  product_algorithm algorithm = product_algorithm::keeps_c;
  /// Parts of rows, inner dimension and columns, if a grid.
  layout::coordinates<3> grid{1, 1, 1};
  double operations = 0;      ///< floating-point, of the busiest member
  std::size_t far_bytes = 0;  ///< transferred between nodes, all members
  std::size_t memory = 0;     ///< bytes per segment for partial sums
  double seconds = 0;         ///< by a model of typical hardware
};

}  // namespace acre
