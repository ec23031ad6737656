// SPDX-License-Identifier: BSD-3-Clause
#include <acre/array/detail/halo_plan.hpp>

#include <acre/base/error.hpp>

#include <string>

namespace acre::arrays {

void check_direction(std::span<const int> direction, const site& where) {
  bool is_somewhere = false;
  bool is_near = true;
  std::string text;
  for (const int each : direction) {
    is_somewhere = is_somewhere || each != 0;
    is_near = is_near && each >= -1 && each <= 1;
    text += (text.empty() ? "" : ", ") + std::to_string(each);
  }
  if (is_somewhere && is_near) return;
  throw error(
      "halo::update", "direction {" + text + "} is invalid" + describe_place(where),
      "use -1, 0 or 1 for each dimension, and not 0 for all: {0, 1} is after the last column");
}

void check_widths(std::span<const std::size_t> widths, std::span<const std::size_t> room,
                  const site& where) {
  for (std::size_t d = 0; d < widths.size(); ++d) {
    if (widths[d] <= room[d]) continue;
    throw error("halo",
                "width " + std::to_string(static_cast<std::ptrdiff_t>(widths[d])) +
                    " in dimension " + std::to_string(d) + " exceeds the matrix's margin of " +
                    std::to_string(room[d]) + describe_place(where),
                "make the matrix with wider margins: halo_matrix{team, extents, widths}");
  }
}

}  // namespace acre::arrays
