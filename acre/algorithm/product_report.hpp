// SPDX-License-Identifier: BSD-3-Clause
// Which way a product of matrices goes, what may be asked of it, and what it was expected to cost.
//
//     const acre::product_report told = acre::multiply(a, b, c);
//     told.way;                    // product_way::grid
//     told.grid;                   // {1, 4, 1}: parts of rows, inner dimension and columns
//     acre::multiply(1.0, a, b, 0.0, c, {}, {.way = acre::product_way::keeps_c});  // no choice
#pragma once

#include <acre/layout/box.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace acre {

/// What of a product stays where it is, while the rest comes.
enum class product_way : std::uint8_t {
  keeps_c,  ///< each member makes its own tiles of c
  keeps_a,  ///< each multiplies its own tiles of a; owners of c add up what they gave
  keeps_b,  ///< the same with tiles of b
  grid      ///< rows, inner dimension and columns are cut into a grid of members; the same then
};
[[nodiscard]] const char* name_of(product_way way) noexcept;

/// What a product may take. All members say the same.
struct product_wishes {
  /// The way; the one that costs least where none is said. Where it cannot be gone, as members of
  /// other teams hold the matrix, or it has more parts than there are, product_way::keeps_c.
  std::optional<product_way> way = std::nullopt;
  /// Bytes that a member may take in its segment for sums that others fetch. Ways that take more
  /// are left out; product_way::keeps_c takes none.
  std::size_t memory = std::size_t{256} << 20;
};

/// How a product went, by what the members counted before it began. The same on all.
struct product_report {
  product_way way = product_way::keeps_c;
  /// Parts of rows, inner dimension and columns; all 1 but where the way is a grid.
  layout::coordinates<3> grid{1, 1, 1};
  double operations = 0;      ///< additions and multiplications of the member that has most
  std::size_t far_bytes = 0;  ///< that go from one node to another, of all members together
  std::size_t memory = 0;     ///< bytes of each member's segment for sums that others fetch
  double seconds = 0;         ///< as the model says, which knows neither processor nor network
};

}  // namespace acre
