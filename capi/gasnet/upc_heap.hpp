// SPDX-License-Identifier: BSD-3-Clause
// The shared heap of each thread: a part for collective objects, then one for pointers.
#pragma once

#include "acre_upc.h"

#include <cstddef>

namespace acre::upc::detail {

/// Offsets in all heaps.
struct pointer_range {
  std::size_t begin = 0;
  std::size_t end = 0;
};
extern constinit pointer_range pointer_heap;

/// Size of the part for pointers, with its list of blocks.
[[nodiscard]] constexpr std::size_t pointer_bytes(std::size_t heap_bytes) noexcept {
  constexpr std::size_t list = std::size_t{1} << 17;
  return heap_bytes + list;
}

/// Collective: empties the list of blocks.
void start_pointer_heap();

[[nodiscard]] void* address_of(position where) noexcept;

}  // namespace acre::upc::detail
