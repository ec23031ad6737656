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
                  "a halo is " + std::to_string(static_cast<std::ptrdiff_t>(widths[d])) +
                      " wide in dimension " + std::to_string(d),
                  "widths are 0 or more elements");
    }
    throw error("with_margins",
                "a halo is " + std::to_string(widths[d]) + " wide in dimension " +
                    std::to_string(d) + ", where there are " + std::to_string(extents[d]) +
                    " elements",
                "take a narrower halo, or a larger array");
  }
}

}  // namespace acre::layout
