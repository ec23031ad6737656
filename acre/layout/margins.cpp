// SPDX-License-Identifier: BSD-3-Clause
#include <acre/layout/margins.hpp>

#include <acre/base/error.hpp>

#include <string>

namespace acre::layout {

void check_margins(std::span<const std::size_t> widths, std::span<const std::size_t> extents) {
  for (std::size_t d = 0; d < widths.size(); ++d) {
    if (widths[d] <= extents[d]) continue;
    if (static_cast<std::ptrdiff_t>(widths[d]) < 0) {
      throw error("with_margins",
                  "halo width " + std::to_string(static_cast<std::ptrdiff_t>(widths[d])) +
                      " in dimension " + std::to_string(d) + " is invalid",
                  "widths must be at least 0");
    }
    throw error("with_margins",
                "halo width " + std::to_string(widths[d]) + " in dimension " + std::to_string(d) +
                    " exceeds the extent of " + std::to_string(extents[d]),
                "use a narrower halo, or a larger array");
  }
}

}  // namespace acre::layout
