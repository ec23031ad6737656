// SPDX-License-Identifier: BSD-3-Clause
#include <acre/view/call_ranges.hpp>

#include <acre/base/error.hpp>

#include <string>

namespace acre::view {

void throw_beyond_end(const char* call, const char* of, std::size_t first, std::size_t count,
                      std::size_t size, const site& where) {
  const bool is_backwards = static_cast<std::ptrdiff_t>(count) < 0;
  const std::string container = std::string(" of ") + of + " of " + std::to_string(size);
  if (is_backwards) {
    throw error(call,
                "the range ends " + std::to_string(-static_cast<std::ptrdiff_t>(count)) +
                    " elements before it begins, at element " + std::to_string(first) + container +
                    " elements" + describe_place(where),
                "pass the begin of the range first");
  }
  throw error(call,
              "the range of " + std::to_string(count) + " elements from element " +
                  std::to_string(static_cast<std::ptrdiff_t>(first)) + container +
                  " elements exceeds its end" + describe_place(where),
              "end the range at the container's end(); std::views::take and drop stop there");
}

void throw_two_containers(const char* call, const char* of, const site& where) {
  throw error(call,
              std::string("the two iterators belong to different objects, not to the same ") + of +
                  describe_place(where),
              "use two iterators of the same object");
}

void throw_no_element(const char* of, std::size_t index, std::size_t size) {
  throw error(
      of, "index " + std::to_string(index) + " is out of range (size " + std::to_string(size) + ")",
      "indices must be from 0 to size() - 1");
}

void throw_no_container(const char* of) {
  throw error("iterator", std::string("the iterator does not belong to any ") + of,
              "it was default-constructed, or its container was moved from or never constructed");
}

}  // namespace acre::view
