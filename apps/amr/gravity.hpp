// SPDX-License-Identifier: BSD-3-Clause
// Gravity of the cells of a tree in empty space. Masses are summed up the tree, as total, centre
// and second moments (Barnes and Hut, Nature 324, 1986). Each node hands down the masses outside of
// a child: distant ones in sum, near ones in parts.
#pragma once

#include <apps/amr/problem.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

namespace acre::amr {

/// The mass of a box, as seen from afar.
struct source {
  double mass = 0;
  point centre{};
  std::array<double, 6> spread{};  ///< second moments about the centre: xx, yy, zz, xy, xz, yz
  double reach = 0;                ///< from the centre to the furthest corner
  std::uint32_t parts = 0;         ///< number of following sums that are parts
  std::uint32_t points = 0;        ///< number of points that are parts
};

/// Eight cells of a leaf.
struct point_mass {
  double mass = 0;
  point centre{};
};

/// Sums, each before its parts, and their points.
struct sources {
  std::vector<source> sums;
  std::vector<point_mass> points;

  [[nodiscard]] std::size_t bytes() const noexcept {
    return sums.size() * sizeof(source) + points.size() * sizeof(point_mass);
  }
  friend auto acre_fields(sources& s) { return std::tie(s.sums, s.points); }
};

/// Maximum reach / distance of a sum that replaces its parts.
inline constexpr double opening = 0.7;

/// The leaf, its eight octants and the eight points of each.
[[nodiscard]] sources sources_of_leaf(std::span<const double> density, const location& leaf);
/// The node and its children's sums, by number.
[[nodiscard]] sources sources_of_node(std::span<const sources> of_children, const location& node);

/// Adds `from` without the parts of sums that suffice all over the node's box.
void add_seen_from(const location& node, const sources& from, sources& to);

/// Acceleration of each cell, by axis, for a gravitational constant of 1.
/// @param outside  by add_seen_from()
[[nodiscard]] values pull_of(const sources& outside, std::span<const double> density,
                             const location& leaf);

}  // namespace acre::amr
