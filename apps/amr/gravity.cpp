// SPDX-License-Identifier: BSD-3-Clause
#include <apps/amr/gravity.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace acre::amr {
namespace {

constexpr std::size_t half_leaf = cells_along / 2;
constexpr std::size_t widest = 2 * cells_along - 1;
constexpr std::array<std::array<unsigned, 2>, 6> pairs{
    {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}}};

point middle_of(const location& box) noexcept {
  point found{};
  for (unsigned axis = 0; axis < axes; ++axis) found[axis] = (box.at[axis] + 0.5) * box.side();
  return found;
}

double furthest_corner(const point& from, const location& box) noexcept {
  const point middle = middle_of(box);
  double square = 0;
  for (unsigned axis = 0; axis < axes; ++axis) {
    const double far = std::abs(from[axis] - middle[axis]) + 0.5 * box.side();
    square += far * far;
  }
  return std::sqrt(square);
}

double nearest_distance(const point& from, const location& box) noexcept {
  const point middle = middle_of(box);
  double square = 0;
  for (unsigned axis = 0; axis < axes; ++axis) {
    const double apart = std::abs(from[axis] - middle[axis]) - 0.5 * box.side();
    square += apart > 0 ? apart * apart : 0;
  }
  return std::sqrt(square);
}

/// Sum of `parts`, which of_part(i) returns as sources.
template <class OfPart>
source sum_of(std::size_t parts, const location& box, OfPart&& of_part) {
  source sum;
  for (std::size_t i = 0; i < parts; ++i) {
    const source part = of_part(i);
    sum.mass += part.mass;
    for (unsigned axis = 0; axis < axes; ++axis) sum.centre[axis] += part.mass * part.centre[axis];
  }
  for (unsigned axis = 0; axis < axes; ++axis) {
    sum.centre[axis] = sum.mass > 0 ? sum.centre[axis] / sum.mass : middle_of(box)[axis];
  }
  for (std::size_t i = 0; i < parts; ++i) {
    const source part = of_part(i);
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      const auto [a, b] = pairs[k];
      sum.spread[k] += part.spread[k] + part.mass * (part.centre[a] - sum.centre[a]) *
                                            (part.centre[b] - sum.centre[b]);
    }
  }
  sum.reach = furthest_corner(sum.centre, box);
  return sum;
}

/// A sum whose parts have neither spread nor reach.
source as_source(const point_mass& of) noexcept {
  source found;
  found.mass = of.mass;
  found.centre = of.centre;
  return found;
}

/// A box of 2 x 2 x 2 cells of a leaf.
point_mass eighth_of(std::span<const double> density, const location& leaf, std::size_t x,
                     std::size_t y, std::size_t z) {
  const double side = leaf.side() / cells_along;
  point_mass sum;
  for (unsigned part = 0; part < children_of_node; ++part) {
    const std::array<std::size_t, axes> cell{x + (part & 1U), y + ((part >> 1U) & 1U),
                                             z + (part >> 2U)};
    const double mass =
        density[cell[0] * strides[0] + cell[1] * strides[1] + cell[2]] * side * side * side;
    const point middle = amr::middle_of(leaf, cell[0], cell[1], cell[2]);
    sum.mass += mass;
    for (unsigned axis = 0; axis < axes; ++axis) sum.centre[axis] += mass * middle[axis];
  }
  for (double& each : sum.centre) each = sum.mass > 0 ? each / sum.mass : 0;
  return sum;
}

source octant_of(std::span<const double> density, const location& leaf, unsigned octant,
                 std::vector<point_mass>& points) {
  const auto first = static_cast<std::ptrdiff_t>(points.size());
  const auto from = [&](unsigned axis) { return lies_high(octant, axis) ? half_leaf : 0; };
  for (unsigned part = 0; part < children_of_node; ++part) {
    const auto at = [&](unsigned axis) { return from(axis) + (lies_high(part, axis) ? 2 : 0); };
    points.push_back(eighth_of(density, leaf, at(0), at(1), at(2)));
  }
  const std::span<const point_mass> mine(points.begin() + first, points.end());
  source sum =
      sum_of(mine.size(), leaf.child(octant), [&](std::size_t i) { return as_source(mine[i]); });
  sum.points = children_of_node;
  return sum;
}

struct place_in_list {
  std::size_t sum = 0;
  std::size_t point = 0;
};

/// Adds the sum and its visible parts. @return the place after all its parts
place_in_list add_seen(const location& node, const sources& from, place_in_list at, sources& to) {
  const source& sum = from.sums[at.sum];
  const place_in_list end{at.sum + 1 + sum.parts, at.point + sum.points};
  const place_in_list mine{to.sums.size(), to.points.size()};
  to.sums.push_back(sum);
  to.sums[mine.sum].parts = to.sums[mine.sum].points = 0;
  if (sum.reach <= opening * nearest_distance(sum.centre, node)) return end;
  if (sum.parts == 0) {
    const auto begin = from.points.begin();
    to.points.insert(to.points.end(), begin + static_cast<std::ptrdiff_t>(at.point),
                     begin + static_cast<std::ptrdiff_t>(end.point));
  }
  place_in_list part{at.sum + 1, at.point};
  while (part.sum < end.sum) part = add_seen(node, from, part, to);
  to.sums[mine.sum].parts = static_cast<std::uint32_t>(to.sums.size() - mine.sum - 1);
  to.sums[mine.sum].points = static_cast<std::uint32_t>(to.points.size() - mine.point);
  return end;
}

/// Positions of a leaf's cells and the accelerations there.
class pulled_cells {
 public:
  pulled_cells(const location& leaf, values& found) : found_(found) {
    for_each_cell(leaf, [&](std::size_t i, const point& at) {
      for (unsigned axis = 0; axis < axes; ++axis) at_[axis][i] = at[axis];
    });
  }

  void add(const point_mass& of) noexcept {
    for (std::size_t i = 0; i < cells_of_leaf; ++i) {
      const point d = to(of.centre, i);
      const double inverse = 1 / square_of(d);
      add(i, of.mass * inverse * std::sqrt(inverse), d);
    }
  }
  void add(const source& of) noexcept {
    const std::array<double, 6>& q = of.spread;
    for (std::size_t i = 0; i < cells_of_leaf; ++i) {
      const point d = to(of.centre, i);
      const double inverse = 1 / square_of(d);
      const double cube = inverse * std::sqrt(inverse);
      const double fifth = 3 * cube * inverse;
      const point turned{q[0] * d[0] + q[3] * d[1] + q[4] * d[2],
                         q[3] * d[0] + q[1] * d[1] + q[5] * d[2],
                         q[4] * d[0] + q[5] * d[1] + q[2] * d[2]};
      const double along = turned[0] * d[0] + turned[1] * d[1] + turned[2] * d[2];
      add(i, of.mass * cube + fifth * (2.5 * inverse * along - 0.5 * (q[0] + q[1] + q[2])), d);
      add(i, -fifth, turned);
    }
  }

 private:
  [[nodiscard]] point to(const point& centre, std::size_t i) const noexcept {
    return {centre[0] - at_[0][i], centre[1] - at_[1][i], centre[2] - at_[2][i]};
  }
  [[nodiscard]] static double square_of(const point& d) noexcept {
    return d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
  }
  void add(std::size_t i, double factor, const point& d) noexcept {
    for (unsigned axis = 0; axis < axes; ++axis)
      found_[axis * cells_of_leaf + i] += factor * d[axis];
  }

  std::array<std::array<double, cells_of_leaf>, axes> at_;
  values& found_;
};

/// Pull of a unit mass, by its distance in cells of side 1.
struct cell_pulls {
  std::array<std::array<double, widest * widest * widest>, axes> of_axis;

  cell_pulls() {
    constexpr auto most = static_cast<long>(cells_along) - 1;
    std::size_t i = 0;
    for (long x = -most; x <= most; ++x) {
      for (long y = -most; y <= most; ++y) {
        for (long z = -most; z <= most; ++z, ++i) {
          const std::array<double, axes> d{double(x), double(y), double(z)};
          const double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
          const double cube = square > 0 ? 1 / (square * std::sqrt(square)) : 0;
          for (unsigned axis = 0; axis < axes; ++axis) of_axis[axis][i] = d[axis] * cube;
        }
      }
    }
  }
};

void add_own_pulls(std::span<const double> density, double cell_side, values& found) {
  static const cell_pulls unit;
  constexpr std::size_t row = cells_along;
  for (unsigned axis = 0; axis < axes; ++axis) {
    const double* const pulls = unit.of_axis[axis].data();
    for (std::size_t to = 0; to < cells_of_leaf; to += row) {
      std::array<double, row> sum{};
      for (std::size_t from = 0; from < cells_of_leaf; ++from) {
        const std::size_t x = from / strides[0] + cells_along - 1 - to / strides[0];
        const std::size_t y = from / row % row + cells_along - 1 - to / row % row;
        const double* const first = pulls + (x * widest + y) * widest + from % row;
        for (std::size_t z = 0; z < row; ++z) sum[z] += density[from] * first[row - 1 - z];
      }
      for (std::size_t z = 0; z < row; ++z)
        found[axis * cells_of_leaf + to + z] += cell_side * sum[z];
    }
  }
}

}  // namespace

sources sources_of_leaf(std::span<const double> density, const location& leaf) {
  sources all;
  all.sums.resize(1);
  for (unsigned octant = 0; octant < children_of_node; ++octant) {
    all.sums.push_back(octant_of(density, leaf, octant, all.points));
  }
  all.sums[0] = sum_of(children_of_node, leaf, [&](std::size_t i) { return all.sums[1 + i]; });
  all.sums[0].parts = children_of_node;
  all.sums[0].points = static_cast<std::uint32_t>(all.points.size());
  return all;
}

sources sources_of_node(std::span<const sources> of_children, const location& node) {
  sources all;
  all.sums.push_back(
      sum_of(of_children.size(), node, [&](std::size_t i) { return of_children[i].sums.front(); }));
  for (const sources& each : of_children) {
    all.sums.insert(all.sums.end(), each.sums.begin(), each.sums.end());
    all.points.insert(all.points.end(), each.points.begin(), each.points.end());
  }
  all.sums[0].parts = static_cast<std::uint32_t>(all.sums.size() - 1);
  all.sums[0].points = static_cast<std::uint32_t>(all.points.size());
  return all;
}

void add_seen_from(const location& node, const sources& from, sources& to) {
  for (place_in_list at; at.sum < from.sums.size();) at = add_seen(node, from, at, to);
}

values pull_of(const sources& outside, std::span<const double> density, const location& leaf) {
  values found(axes * cells_of_leaf);
  pulled_cells cells(leaf, found);
  for (const source& each : outside.sums) {
    if (each.parts == 0 && each.points == 0) cells.add(each);
  }
  for (const point_mass& each : outside.points) {
    if (each.mass != 0) cells.add(each);
  }
  add_own_pulls(density, leaf.side() / cells_along, found);
  return found;
}

}  // namespace acre::amr
