// SPDX-License-Identifier: BSD-3-Clause
#include <acre/array/shift.hpp>

#include <acre/base/error.hpp>

#include <cstddef>
#include <span>
#include <string>

namespace acre::arrays {

namespace {

template <class Numbers>
std::string listed(const Numbers& numbers) {
  std::string text;
  for (const auto number : numbers) text += (text.empty() ? "" : ", ") + std::to_string(number);
  return "(" + text + ")";
}

}  // namespace

void throw_shifted_outside(std::span<const std::size_t> first,
                           std::span<const std::ptrdiff_t> steps, std::span<const std::size_t> of,
                           const site& where) {
  throw error("shift",
              "the box at " + listed(first) + " shifted by " + listed(steps) +
                  " exceeds the extents " + listed(of) + " of the matrix" + describe_place(where),
              "shift is not periodic: shift less, or use neighbour(), which is periodic in blocks");
}

}  // namespace acre::arrays
