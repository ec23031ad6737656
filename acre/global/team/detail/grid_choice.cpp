// SPDX-License-Identifier: BSD-3-Clause
#include <acre/global/team/detail/grid_choice.hpp>

#include <acre/base/error.hpp>
#include <acre/base/specification.hpp>
#include <acre/layout/grid_search.hpp>
#include <acre/runtime/world.hpp>

#include <algorithm>
#include <span>
#include <string>
#include <utility>

namespace acre::global {
namespace {

/// Elements of a box's face in dimension `d`, relative to the elements of the box.
double face(std::size_t parts, std::size_t elements) {
  return static_cast<double>(parts) / static_cast<double>(elements);
}

}  // namespace

std::vector<std::vector<std::uint32_t>> grids_for(const grid_wish& wish, std::uint32_t members,
                                                  std::size_t most) {
  constexpr double worth_a_try = 1.25;
  if (!std::ranges::count(wish.extents, 0U)) return {wish.extents};
  const std::vector<std::size_t> given(wish.extents.begin(), wish.extents.end());
  // Without a matrix: enough elements for each member of all grids.
  const std::vector<std::size_t> elements =
      wish.elements.empty() ? std::vector<std::size_t>(given.size(), max_ranks) : wish.elements;
  std::vector<std::pair<double, std::vector<std::uint32_t>>> all;
  layout::each_grid(given, members, [&](std::span<const std::size_t> grid) {
    all.emplace_back(layout::contact(grid, elements),
                     std::vector<std::uint32_t>(grid.begin(), grid.end()));
  });
  if (all.empty()) {
    throw error("team::cartesian",
                "the extents of a grid of " + join(wish.extents) + " do not divide " +
                    std::to_string(members) + " ranks",
                "pass 0 for an extent that may be chosen, and divisors for the others");
  }
  // Among equal surfaces the grid with long rows is first: its last extents are small.
  std::ranges::sort(all, [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first < b.first : a.second > b.second;
  });
  std::vector<std::vector<std::uint32_t>> chosen;
  for (auto& [surface, grid] : all) {
    if (chosen.size() == most || surface > worth_a_try * all.front().first) break;
    chosen.push_back(std::move(grid));
  }
  return chosen;
}

mapping::communication stencil_on(const std::vector<std::uint32_t>& grid,
                                  const std::vector<std::size_t>& elements) {
  std::vector<mapping::grid_dimension> dimensions;
  for (std::size_t d = 0; d < grid.size(); ++d) {
    double bytes = 1;
    if (!elements.empty()) bytes = face(grid[d], elements[d]) / face(1, elements[0]);
    dimensions.push_back({.extent = grid[d], .periodic = true, .bytes = bytes});
  }
  return mapping::cartesian(dimensions);
}

}  // namespace acre::global
