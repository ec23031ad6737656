// SPDX-License-Identifier: BSD-3-Clause
// From a symmetric address and the number of a PE to memory: what every one-sided routine
// begins with.
//
// A rank's static data and its segment are one window (runtime/static_data.hpp), so an address
// of one's own becomes an offset by one subtraction, and an address of a neighbour's by one
// addition more; no routine needs to know which of the two it was given.
#pragma once

#include <acre/runtime/remote.hpp>
#include <acre/runtime/world.hpp>

#include <cstddef>
#include <cstdint>

namespace acre::shmem {

using runtime::counted;
using runtime::world;

/// How far a symmetric address lies in its window.
[[nodiscard, gnu::always_inline]] inline std::uintptr_t offset_of(const void* address) noexcept {
  return reinterpret_cast<std::uintptr_t>(address) -
         reinterpret_cast<std::uintptr_t>(runtime::world.window);
}

/// Adds what a symmetric address of mine differs by from the same object of a PE.
/// @param sum  the object's address here; or, where that is false, its offset in the PE's window
/// @return whether the object is mapped here
[[nodiscard, gnu::always_inline]] inline bool reach(const void* address, std::int64_t pe,
                                                    std::uintptr_t& sum) noexcept {
  return !__builtin_add_overflow(reinterpret_cast<std::uintptr_t>(address),
                                 (*runtime::world.windows)[pe], &sum);
}

/// The same object of a PE, where it is mapped here; else null.
template <class T>
[[nodiscard, gnu::always_inline]] inline T* mapped(T* address, int pe) noexcept {
  std::uintptr_t sum = 0;
  if (!reach(address, pe, sum)) [[unlikely]] {
    return nullptr;
  }
  if (sum == 0) __builtin_unreachable();
  return reinterpret_cast<T*>(sum);
}

/// The same object of a PE as the network names it.
[[nodiscard]] inline runtime::remote_address remote(const void* address, int pe) noexcept {
  return {static_cast<rank_t>(pe), fabric::window_region, offset_of(address)};
}

}  // namespace acre::shmem
