// SPDX-License-Identifier: BSD-3-Clause
#include <acre/view/box_span.hpp>

#include <acre/base/error.hpp>

#include <string>

namespace acre::view {
namespace {

std::string listed(std::span<const std::size_t> numbers) {
  std::string text;
  for (const std::size_t number : numbers) {
    text += (text.empty() ? "" : ", ") + std::to_string(number);
  }
  return text;
}

}  // namespace

void throw_outside_box(const char* call, std::span<const std::size_t> at,
                       std::span<const std::size_t> extents) {
  throw error(call,
              "(" + listed(at) + ") is outside of a box with the extents (" + listed(extents) + ")",
              "each coordinate must be from 0 to its extent - 1");
}

void throw_not_contiguous(const char* call) {
  throw error(call, "these elements are not contiguous",
              "use (i, j), or each_run(f), which calls f with each contiguous run");
}

void throw_box_outside(std::span<const std::size_t> first, std::span<const std::size_t> extents,
                       std::span<const std::size_t> of, const site& where) {
  throw error("sub",
              "the box of (" + listed(extents) + ") at (" + listed(first) +
                  ") exceeds the extents (" + listed(of) + ")" + describe_place(where),
              "first + extents must not exceed the container's extents in any dimension");
}

}  // namespace acre::view
