#include <acre/view/box_span.hpp>

#include <acre/base/error.hpp>

#include <string>

namespace acre::detail {
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
  throw error(
      call, "(" + listed(at) + ") lies outside of a box with the extents (" + listed(extents) + ")",
      "coordinates begin at 0");
}

}  // namespace acre::detail
