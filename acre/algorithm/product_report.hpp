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

/// Operand that stays in place.
enum class product_algorithm : std::uint8_t {
  keeps_c,  ///< own tiles of c
  keeps_a,  ///< own tiles of a; owners of c add up
  keeps_b,  ///< own tiles of b
  grid      ///< a grid of members; owners add up
};
[[nodiscard]] const char* name_of(product_algorithm algorithm) noexcept;
/// Old name, until 0.2.
using product_way [[deprecated("use product_algorithm")]] = product_algorithm;

/// Options of a product, equal on all members.
struct product_options {
  /// Default: the cheapest. keeps_c, if impossible: owners outside of the team, or extents below
  /// any grid.
  std::optional<product_algorithm> algorithm = std::nullopt;
  /// Bytes per segment for sums that others fetch; excludes algorithms that need more.
  std::size_t memory = std::size_t{256} << 20;
};
/// Old name, until 0.2.
using product_wishes [[deprecated("use product_options")]] = product_options;

/// Estimates, equal on all members.
struct product_report {
  product_algorithm algorithm = product_algorithm::keeps_c;
  /// Parts of rows, inner dimension and columns.
  layout::coordinates<3> grid{1, 1, 1};
  double operations = 0;      ///< real operations of the busiest member
  std::size_t far_bytes = 0;  ///< between nodes, of all members
  std::size_t memory = 0;     ///< bytes per segment for sums
  double seconds = 0;         ///< modelled, hardware unknown
};

}  // namespace acre
