// SPDX-License-Identifier: BSD-3-Clause
// Way, options and expected cost of a matrix product.
//
//     acre::multiply(1.0, a, b, 0.0, c, {}, {.way = acre::product_way::keeps_c});
#pragma once

#include <acre/layout/box.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace acre {

/// Operand that stays in place.
enum class product_way : std::uint8_t {
  keeps_c,  ///< own tiles of c
  keeps_a,  ///< own tiles of a; owners of c add up
  keeps_b,  ///< own tiles of b
  grid      ///< a grid of members; owners add up
};
[[nodiscard]] const char* name_of(product_way way) noexcept;

/// Options of a product, equal on all members.
struct product_wishes {
  /// Default: the cheapest. keeps_c, if impossible: owners outside of the team, or extents below
  /// any grid.
  std::optional<product_way> way = std::nullopt;
  /// Bytes per segment for sums that others fetch; excludes ways that need more.
  std::size_t memory = std::size_t{256} << 20;
};

/// Estimates, equal on all members.
struct product_report {
  product_way way = product_way::keeps_c;
  /// Parts of rows, inner dimension and columns.
  layout::coordinates<3> grid{1, 1, 1};
  double operations = 0;      ///< real operations of the busiest member
  std::size_t far_bytes = 0;  ///< between nodes, of all members
  std::size_t memory = 0;     ///< bytes per segment for sums
  double seconds = 0;         ///< modelled, hardware unknown
};

}  // namespace acre
