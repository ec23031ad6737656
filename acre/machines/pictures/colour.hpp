// SPDX-License-Identifier: BSD-3-Clause
// Colours of ranks and loads, mixed in OKLCH (Ottosson 2020), whose equal steps look equal.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace acre::machines {

/// sRGB components, 0 … 1.
struct colour {
  double red;
  double green;
  double blue;
  friend auto operator<=>(const colour&, const colour&) = default;
};

inline constexpr colour black{0.12, 0.13, 0.15};
inline constexpr colour grey{0.42, 0.44, 0.48};
inline constexpr colour pale{0.90, 0.91, 0.93};
inline constexpr colour white{1, 1, 1};

/// @param strength 0 (grey) … 0.3; reduced to the gamut
/// @param hue 0 … 1
[[nodiscard]] colour oklch(double lightness, double strength, double hue);

enum class colour_part { hue, lightness, strength };

/// The three longest dimensions, shown by hue, lightness and strength.
[[nodiscard]] std::vector<std::size_t> coloured_dimensions(std::span<const std::uint32_t> extents);

/// Colour at `share` along one dimension, with the other dimensions at their middle.
/// @param share 0 … 1
[[nodiscard]] colour legend_colour(colour_part part, double share);

[[nodiscard]] std::vector<colour> rank_colours(std::span<const std::uint32_t> extents);

/// Colour of a link's load, from light over yellow and red to dark.
/// @param share 0 … 1, of the largest load
[[nodiscard]] colour load_colour(double share);

}  // namespace acre::machines
