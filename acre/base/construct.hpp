// SPDX-License-Identifier: BSD-3-Clause
// Constructs elements in uninitialised memory.
#pragma once

#include <cstddef>
#include <new>
#include <span>
#include <utility>

namespace acre::base {

template <class T, class... Arguments>
void construct(T* at, Arguments&&... arguments) {
  ::new (static_cast<void*>(at)) T(std::forward<Arguments>(arguments)...);
}

template <class T>
void construct_all(std::span<T> elements, const T& value) {
  const T copy(value);
  for (std::size_t i = 0; i < elements.size(); ++i) construct(elements.data() + i, copy);
}

}  // namespace acre::base
