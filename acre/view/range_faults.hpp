// SPDX-License-Identifier: BSD-3-Clause
// Errors of iterators whose range does not lie within their container (call_ranges.hpp).
#pragma once

#include <acre/base/site.hpp>

#include <cstddef>

namespace acre::view {

/// @param of     what the iterator walks over: "array"
/// @param first  the index of the range's first element, `count` the number of its elements
/// @param size   of the container
/// @throws acre::error
[[noreturn]] void throw_beyond_end(const char* call, const char* of, std::size_t first,
                                   std::size_t count, std::size_t size, const site& where);
/// @throws acre::error
[[noreturn]] void throw_two_containers(const char* call, const char* of, const site& where);

/// @throws acre::error
[[noreturn]] void throw_no_element(const char* of, std::size_t index, std::size_t size);
/// @throws acre::error
[[noreturn]] void throw_no_container(const char* of);

/// The container of an iterator.
/// @throws acre::error for a default-constructed iterator, and one of a container that was moved
/// from
template <class Container>
[[nodiscard]] const Container& require_container(const Container* container, const char* of) {
  if (container == nullptr) [[unlikely]] {
    throw_no_container(of);
  }
  return *container;
}

/// Throws unless the `count` elements from `first` on are among `size`.
inline void require_among(std::size_t first, std::size_t count, std::size_t size, const char* call,
                          const char* of, const site& where) {
  if (first <= size && count <= size - first) [[likely]]
    return;
  throw_beyond_end(call, of, first, count, size, where);
}

}  // namespace acre::view
