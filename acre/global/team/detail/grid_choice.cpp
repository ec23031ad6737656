// SPDX-License-Identifier: BSD-3-Clause
#include <acre/global/team/detail/grid_choice.hpp>

#include <acre/base/error.hpp>
#include <acre/base/specification.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace acre::global {
namespace {

/// Elements of a box's face in dimension `d`, relative to the elements of the box.
double face(std::size_t parts, std::size_t elements) {
  return static_cast<double>(parts) / static_cast<double>(elements);
}

class grid_search {
 public:
  grid_search(const grid_wish& wish) : wish_(wish), grid_(wish.extents) {}

  using found = std::vector<std::pair<double, std::vector<std::uint32_t>>>;

  [[nodiscard]] found all_of(std::uint32_t members) {
    look(0, members);
    return std::move(found_);
  }

 private:
  void look(std::size_t d, std::uint32_t left) {
    if (d == grid_.size()) {
      if (left == 1) found_.emplace_back(surface(), grid_);
      return;
    }
    const std::uint32_t given = wish_.extents[d];
    for (std::uint32_t each = 1; each <= left; ++each) {
      if (left % each != 0 || (given != 0 && each != given)) continue;
      grid_[d] = each;
      look(d + 1, left / each);
    }
  }
  [[nodiscard]] double surface() const {
    double sum = 0;
    for (std::size_t d = 0; d < grid_.size(); ++d) {
      const std::size_t elements = wish_.elements.empty() ? 1U << 20 : wish_.elements[d];
      // Boxes without elements are the last choice.
      if (grid_[d] > elements) sum += 1e6;
      sum += face(grid_[d] - 1, elements);
    }
    return sum;
  }

  const grid_wish& wish_;
  std::vector<std::uint32_t> grid_;
  found found_;
};

}  // namespace

std::vector<std::vector<std::uint32_t>> grids_for(const grid_wish& wish, std::uint32_t members,
                                                  std::size_t most) {
  constexpr double worth_a_try = 1.25;
  if (!std::ranges::count(wish.extents, 0U)) return {wish.extents};
  auto all = grid_search(wish).all_of(members);
  if (all.empty()) {
    throw error("team::cartesian",
                "the extents of a grid of " + join(wish.extents) + " do not divide " +
                    std::to_string(members) + " ranks",
                "pass 0 for an extent that may be chosen, and divisors for the others");
  }
  // Of equal surfaces the one with long rows is first: its last extents are small.
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
