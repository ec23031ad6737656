// SPDX-License-Identifier: BSD-3-Clause
// Distributions of several arrays over phases of a program that move the fewest bytes. An array
// keeps its distribution, and is communicated in a phase, or is redistributed between phases.
//
//     // Lines along the last dimension, then along the first: a transform of two dimensions.
//     const auto best = acre::plan(4, {{.extents = {64, 64}, .element_bytes = 8}},
//                                  {{acre::use::lines(0, 1)}, {acre::use::lines(0, 0)}});
//     best.grid<2>(0, 0);   // {4, 1}: phase 0, array 0
//     best.grid<2>(1, 0);   // {1, 4}: redistribute(a, make_distribution(extents, 4, team_spec …))
#pragma once

#include <acre/layout/box.hpp>
#include <acre/layout/pattern.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace acre {

struct planned_array {
  std::vector<std::size_t> extents;
  std::size_t element_bytes = sizeof(double);
};

/// Use of an array in a phase, made by the functions of acre::use.
struct array_use {
  enum class kind { elements, lines, stencil, together };
  kind what = kind::elements;
  std::size_t array = 0;
  std::size_t other = 0;      ///< together: the array that is read
  std::size_t dimension = 0;  ///< lines
  std::size_t width = 0;      ///< stencil
  std::size_t times = 1;
};

namespace use {

/// Each element alone: any distribution.
[[nodiscard]] constexpr array_use elements(std::size_t array) noexcept { return {.array = array}; }
/// Whole lines along a dimension at one member, as for transforms. A divided line is fetched and
/// written back.
[[nodiscard]] constexpr array_use lines(std::size_t array, std::size_t dimension,
                                        std::size_t times = 1) noexcept {
  return {.what = array_use::kind::lines, .array = array, .dimension = dimension, .times = times};
}
/// Neighbours up to `width` elements away in each dimension, without diagonals, not periodic.
[[nodiscard]] constexpr array_use stencil(std::size_t array, std::size_t width,
                                          std::size_t steps = 1) noexcept {
  return {.what = array_use::kind::stencil, .array = array, .width = width, .times = steps};
}
/// Owners of `array` read the elements of `read` of equal indices and extents.
[[nodiscard]] constexpr array_use together(std::size_t array, std::size_t read,
                                           std::size_t times = 1) noexcept {
  return {.what = array_use::kind::together, .array = array, .other = read, .times = times};
}

}  // namespace use

struct distribution_plan {
  /// Parts per dimension of each array in each phase: parts[phase][array]; balanced cuts.
  std::vector<std::vector<std::vector<std::size_t>>> parts;
  /// Sum over uses and redistributions of the busiest receiver's bytes.
  double bytes = 0;

  /// For team_spec. @param phase, array  as given to plan()
  template <std::size_t N>
  [[nodiscard]] layout::coordinates<N> grid(std::size_t phase, std::size_t array) const {
    layout::coordinates<N> result{};
    std::copy_n(parts.at(phase).at(array).begin(), N, result.begin());
    return result;
  }
  /// True if the array is redistributed before the phase.
  [[nodiscard]] bool is_changed_before(std::size_t phase, std::size_t array) const {
    return phase != 0 && parts.at(phase).at(array) != parts.at(phase - 1).at(array);
  }
};

/// Returns the plan of fewest bytes, of these the one of fewest redistributions, exactly, with one
/// non-empty box per member. Pure. Cost: phases × arrays × K × K^arrays steps for K grids per
/// array.
/// @param phases  the uses of each, in order
/// @throws acre::error for invalid uses, arrays without a grid, or more than a million combinations
[[nodiscard]] distribution_plan plan(layout::member_t members,
                                     const std::vector<planned_array>& arrays,
                                     const std::vector<std::vector<array_use>>& phases);

/// Bytes of the busiest receiver if an array with `from` parts is read or redistributed with `to`
/// parts. Pure.
[[nodiscard]] double moved_bytes(const planned_array& array, const std::vector<std::size_t>& from,
                                 const std::vector<std::size_t>& to);
/// Bytes of one use, with the parts of its array and of that which together() reads.
[[nodiscard]] double used_bytes(const array_use& what, const std::vector<planned_array>& arrays,
                                const std::vector<std::size_t>& parts,
                                const std::vector<std::size_t>& parts_read);
/// Grids of `members` in which each member has elements of the array.
[[nodiscard]] std::vector<std::vector<std::size_t>> grids_of(layout::member_t members,
                                                             const planned_array& array);

}  // namespace acre
