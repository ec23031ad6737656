#include <acre/algorithm/copy_box.hpp>

#include <acre/base/error.hpp>

#include <algorithm>
#include <string>

namespace acre::detail {
namespace {

std::string with_crosses(std::span<const std::size_t> extents) {
  std::string text;
  for (const std::size_t extent : extents) {
    text += (text.empty() ? "" : " x ") + std::to_string(extent);
  }
  return text;
}

}  // namespace

void require_equal_extents(std::span<const std::size_t> from, std::span<const std::size_t> to,
                           const site& where) {
  if (std::ranges::equal(from, to)) return;
  throw error("copy",
              "a box of " + with_crosses(from) + " does not fit one of " + with_crosses(to) +
                  describe_place(where),
              "take a box of the same extents: sub(matrix, {.first = …, .extents = …})");
}

}  // namespace acre::detail
