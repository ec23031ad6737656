// SPDX-License-Identifier: BSD-3-Clause
// Checks and errors of ranges that exceed their container.
#pragma once

#include <acre/base/site.hpp>

#include <cstddef>

namespace acre::view {

/// @param of    kind of container: "array"
/// @param size  of the container
[[noreturn]] void throw_beyond_end(const char* call, const char* of, std::size_t first,
                                   std::size_t count, std::size_t size, const site& where);
[[noreturn]] void throw_two_containers(const char* call, const char* of, const site& where);

[[noreturn]] void throw_no_element(const char* of, std::size_t index, std::size_t size);
[[noreturn]] void throw_no_container(const char* of);

/// Returns *container.
/// @throws acre::error if null: iterator default-constructed, or container moved from
template <class Container>
[[nodiscard]] const Container& require_container(const Container* container, const char* of) {
  if (container == nullptr) [[unlikely]] {
    throw_no_container(of);
  }
  return *container;
}

inline void require_among(std::size_t first, std::size_t count, std::size_t size, const char* call,
                          const char* of, const site& where) {
  if (first <= size && count <= size - first) [[likely]]
    return;
  throw_beyond_end(call, of, first, count, size, where);
}

}  // namespace acre::view
