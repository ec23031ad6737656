// SPDX-License-Identifier: BSD-3-Clause
#include <acre/array/stencil.hpp>

#include <acre/base/error.hpp>
#include <acre/layout/extents_text.hpp>

#include <algorithm>
#include <string>

namespace acre::arrays {

namespace {

std::string element_at(std::span<const std::ptrdiff_t> away) {
  std::string offsets;
  for (const std::ptrdiff_t each : away) {
    offsets += (offsets.empty() ? "" : ", ") + std::to_string(each);
  }
  return "the element at (" + offsets + ")";
}

}  // namespace

void throw_no_corners(std::span<const std::ptrdiff_t> away, const site& where) {
  throw error(
      "stencil",
      element_at(away) + " may be in a corner, which this halo omits" + describe_place(where),
      "make the halo with .corners = acre::halo_corners::kept");
}

void throw_other_order(const site& where) {
  throw error("stencil",
              "the halo's matrix is row-major and the written one column-major, or vice versa" +
                  describe_place(where),
              "construct both with the same memory order");
}

void throw_beyond_halo(std::span<const std::ptrdiff_t> away, std::span<const std::size_t> before,
                       std::span<const std::size_t> after, const site& where) {
  throw error("stencil",
              element_at(away) + " is outside of the halo, whose widths are " +
                  layout::extents_text(before) + " before an element and " +
                  layout::extents_text(after) + " after it" + describe_place(where),
              "make the margins of the matrix, and the widths of the halo, at least as wide as the "
              "stencil");
}

void check_stencil_boxes(std::span<const std::size_t> read_first,
                         std::span<const std::size_t> read_extents,
                         std::span<const std::size_t> written_first,
                         std::span<const std::size_t> written_extents, bool is_one,
                         const site& where) {
  if (is_one) {
    throw error("stencil",
                "the matrix to write is the matrix that the halo reads" + describe_place(where),
                "write to another matrix, and swap both and their halos after each step: "
                "std::swap(a, b), std::swap(halo_of_a, halo_of_b)");
  }
  if (std::ranges::equal(read_first, written_first) &&
      std::ranges::equal(read_extents, written_extents)) {
    return;
  }
  throw error("stencil",
              "this member's parts of the written matrix and of the halo's matrix differ" +
                  describe_place(where),
              "construct both with the same team and extents");
}

}  // namespace acre::arrays
