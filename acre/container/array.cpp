#include <acre/base/error.hpp>
#include <acre/container/array.hpp>

#include <string>

namespace acre::detail {

void throw_no_array() {
  throw error("array", "there is no array: it was moved away, or never made",
              "make one with array{team, size}");
}

void throw_out_of_range(std::size_t index, std::size_t size) {
  throw error("array::at", "there is no element " + std::to_string(index) + " (size " +
                               std::to_string(size) + ")");
}

void throw_array_too_large(std::size_t size) {
  throw error("array", std::to_string(size) + " elements are more than memory holds");
}

}  // namespace acre::detail
