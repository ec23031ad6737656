// SPDX-License-Identifier: BSD-3-Clause
#include <acre/array/matrix_slice.hpp>

#include <acre/base/error.hpp>
#include <acre/layout/extents_text.hpp>

#include <string>

namespace acre::arrays {

void throw_no_step(std::size_t dimension, const site& where) {
  throw error(
      "slice",
      "the step of dimension " + std::to_string(dimension) + " is 0" + describe_place(where),
      "pass a step of at least 1, or use acre::broadcast() to repeat elements");
}

void throw_no_broadcast(std::span<const std::size_t> from, std::span<const std::size_t> to,
                        const site& where) {
  throw error("broadcast",
              "extents " + layout::extents_text(from) + " cannot be broadcast to " +
                  layout::extents_text(to) + describe_place(where),
              "the last extents must be equal, or 1 to repeat the elements of that dimension");
}

}  // namespace acre::arrays
