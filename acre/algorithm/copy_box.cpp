// SPDX-License-Identifier: BSD-3-Clause
#include <acre/algorithm/copy_box.hpp>

#include <acre/base/error.hpp>
#include <acre/layout/extents_text.hpp>

#include <algorithm>
#include <string>

namespace acre::algorithm {
void require_equal_extents(const char* call, std::span<const std::size_t> from,
                           std::span<const std::size_t> to, const site& where) {
  if (std::ranges::equal(from, to)) return;
  throw error(call,
              "a box of " + layout::extents_text(from) + " does not fit a box of " +
                  layout::extents_text(to) + describe_place(where),
              "use a box of equal extents: sub(matrix, {.first = …, .extents = …})");
}

}  // namespace acre::algorithm
