// SPDX-License-Identifier: BSD-3-Clause
#include <acre/machines/pictures/colour.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

namespace acre::machines {
namespace {

/// Linear RGB components; may exceed 0 … 1 (out of gamut).
colour linear(double lightness, double strength, double hue) {
  const double angle = 2 * std::numbers::pi * hue;
  const double a = strength * std::cos(angle);
  const double b = strength * std::sin(angle);
  const auto cubed = [](double x) { return x * x * x; };
  const double l = cubed(lightness + 0.3963377774 * a + 0.2158037573 * b);
  const double m = cubed(lightness - 0.1055613458 * a - 0.0638541728 * b);
  const double s = cubed(lightness - 0.0894841775 * a - 1.2914855480 * b);
  return {4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
          -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
          -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s};
}

bool shown(const colour& ink) {
  const auto inside = [](double part) { return part >= 0 && part <= 1; };
  return inside(ink.red) && inside(ink.green) && inside(ink.blue);
}

double curved(double part) {
  part = std::clamp(part, 0.0, 1.0);
  return part <= 0.0031308 ? 12.92 * part : 1.055 * std::pow(part, 1 / 2.4) - 0.055;
}

/// Largest strength up to `strength` in the gamut.
double strongest(double lightness, double strength, double hue) {
  if (shown(linear(lightness, strength, hue))) return strength;
  double least = 0;
  for (int step = 0; step < 20; ++step) {
    const double between = (least + strength) / 2;
    (shown(linear(lightness, between, hue)) ? least : strength) = between;
  }
  return least;
}

colour coloured(const std::array<double, 3>& shares) {
  const double lightness = 0.42 + 0.48 * shares[1];
  const double most = strongest(lightness, 0.18, shares[0]);
  return oklch(lightness, most * (0.15 + 0.85 * shares[2]), shares[0]);
}

/// More steps could not be distinguished, and would lengthen the file.
constexpr std::array<std::uint32_t, 3> most_steps{48, 16, 6};

double step_of(std::size_t part, std::uint32_t place, std::uint32_t extent) {
  const std::uint32_t steps = std::min(extent, most_steps[part]);
  const std::uint64_t step = std::uint64_t{place} * steps / extent;
  // Hue is cyclic, so its last step must differ from the first.
  return static_cast<double>(step) / (part == 0 ? steps : steps - 1);
}

constexpr std::array<double, 3> middle{0.07, 0.55, 0.8};

}  // namespace

colour oklch(double lightness, double strength, double hue) {
  const colour light = linear(lightness, strongest(lightness, strength, hue), hue);
  return {curved(light.red), curved(light.green), curved(light.blue)};
}

std::vector<std::size_t> coloured_dimensions(std::span<const std::uint32_t> extents) {
  std::vector<std::size_t> dimensions(extents.size());
  std::iota(dimensions.begin(), dimensions.end(), std::size_t{0});
  std::ranges::sort(dimensions, [&](std::size_t a, std::size_t b) {
    return extents[a] != extents[b] ? extents[a] > extents[b] : a < b;
  });
  constexpr std::size_t most = 3;
  if (dimensions.size() > most) dimensions.resize(most);
  std::erase_if(dimensions, [&](std::size_t d) { return extents[d] == 1; });
  return dimensions;
}

colour legend_colour(colour_part part, double share) {
  std::array<double, 3> shares = middle;
  shares[static_cast<std::size_t>(part)] = share;
  return coloured(shares);
}

std::vector<colour> rank_colours(std::span<const std::uint32_t> extents) {
  const auto dimensions = coloured_dimensions(extents);
  const std::size_t ranks =
      std::accumulate(extents.begin(), extents.end(), std::size_t{1},
                      [](std::size_t product, std::uint32_t extent) { return product * extent; });
  std::vector<colour> colours;
  colours.reserve(ranks);
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    std::array<double, 3> shares = middle;
    for (std::size_t part = 0; part < dimensions.size(); ++part) {
      std::size_t rest = rank;
      for (std::size_t d = extents.size(); --d > dimensions[part];) rest /= extents[d];
      const std::uint32_t extent = extents[dimensions[part]];
      shares[part] = step_of(part, static_cast<std::uint32_t>(rest % extent), extent);
    }
    colours.push_back(coloured(shares));
  }
  return colours;
}

colour load_colour(double share) {
  struct stop {
    double lightness;
    double strength;
    double hue;
  };
  constexpr std::array<stop, 5> stops{{{.lightness = 0.92, .strength = 0.03, .hue = 0.30},
                                       {.lightness = 0.85, .strength = 0.15, .hue = 0.25},
                                       {.lightness = 0.72, .strength = 0.18, .hue = 0.15},
                                       {.lightness = 0.53, .strength = 0.20, .hue = 0.06},
                                       {.lightness = 0.28, .strength = 0.14, .hue = -0.05}}};
  constexpr double shades = 64;
  const double rounded = std::ceil(std::clamp(share, 0.0, 1.0) * shades) / shades;
  const double at = rounded * (stops.size() - 1);
  const auto first = std::min(static_cast<std::size_t>(at), stops.size() - 2);
  const double part = at - static_cast<double>(first);
  const stop& a = stops[first];
  const stop& b = stops[first + 1];
  return oklch(std::lerp(a.lightness, b.lightness, part), std::lerp(a.strength, b.strength, part),
               std::lerp(a.hue, b.hue, part));
}

}  // namespace acre::machines
