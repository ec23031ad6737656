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
                "give the first iterator first");
  }
  throw error(call,
              "the range has " + std::to_string(count) + " elements from " +
                  std::to_string(static_cast<std::ptrdiff_t>(first)) + " on" + container +
                  " elements, and ends beyond these" + describe_place(where),
              "end it at the container's end(); std::views::take and drop stop there");
}

void throw_two_containers(const char* call, const char* of, const site& where) {
  throw error(call,
              std::string("two iterators of different objects: they do not belong to the same ") +
                  of + describe_place(where),
              "take both from the same object");
}

void throw_no_element(const char* of, std::size_t index, std::size_t size) {
  throw error(
      of, "there is no element " + std::to_string(index) + " (size " + std::to_string(size) + ")",
      "indices go from 0 to size() - 1");
}

void throw_no_container(const char* of) {
  throw error("iterator", std::string("this iterator is of no ") + of,
              "it was default-constructed, or its container was moved away or never made");
}

}  // namespace acre::view
