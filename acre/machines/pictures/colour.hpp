// SPDX-License-Identifier: BSD-3-Clause
// Colours that mean something: a rank's place in its grid, a link's load.
//
// They are mixed in OKLCH (Ottosson: A perceptual color space for image processing,
// 2020), where equal steps of lightness, strength and hue look equal.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace acre::machines {

/// Parts of red, green and blue as screens take them, 0 … 1.
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

/// @param lightness 0 … 1
/// @param strength 0 (grey) … 0.3; less where screens have no such colour
/// @param hue 0 … 1, once around
[[nodiscard]] colour oklch(double lightness, double strength, double hue);

/// What of a colour shows a dimension of a grid.
enum class colour_part { hue, lightness, strength };

/// The dimensions that colours show, at most three: the longest by its hue, the next by its
/// lightness, the third by its strength.
[[nodiscard]] std::vector<std::size_t> coloured_dimensions(std::span<const std::uint32_t> extents);

/// Along one dimension, the others being in the middle: for a legend.
/// @param share 0 … 1
[[nodiscard]] colour legend_colour(colour_part part, double share);

/// The colour of each rank of a grid.
[[nodiscard]] std::vector<colour> rank_colours(std::span<const std::uint32_t> extents);

/// From nothing, light, over yellow and red to all, dark.
/// @param share 0 … 1, of the largest load
[[nodiscard]] colour load_colour(double share);

}  // namespace acre::machines
