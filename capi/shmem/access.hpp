// SPDX-License-Identifier: BSD-3-Clause
// Translation of a symmetric address and a PE to memory. Static data and segment form one window
// (runtime/static_data.hpp): a subtraction gives the offset, an addition a neighbour's address.
#pragma once

#include <acre/runtime/remote.hpp>
#include <acre/runtime/world.hpp>

#include <cstddef>
#include <cstdint>

namespace acre::shmem {

using runtime::counted;
using runtime::world;

[[nodiscard, gnu::always_inline]] inline std::uintptr_t offset_of(const void* address) noexcept {
  return reinterpret_cast<std::uintptr_t>(address) -
         reinterpret_cast<std::uintptr_t>(runtime::world.window);
}

/// Adds the PE's window distance to a symmetric address.
/// @param sum  the mapped address; if false is returned, the offset in the PE's window
/// @return true if the PE's object is mapped here
[[nodiscard, gnu::always_inline]] inline bool reach(const void* address, std::int64_t pe,
                                                    std::uintptr_t& sum) noexcept {
  return !__builtin_add_overflow(reinterpret_cast<std::uintptr_t>(address),
                                 (*runtime::world.windows)[pe], &sum);
}

template <class T>
[[nodiscard, gnu::always_inline]] inline T* mapped(T* address, int pe) noexcept {
  std::uintptr_t sum = 0;
  if (!reach(address, pe, sum)) [[unlikely]] {
    return nullptr;
  }
  if (sum == 0) __builtin_unreachable();
  return reinterpret_cast<T*>(sum);
}

[[nodiscard]] inline runtime::remote_address remote(const void* address, int pe) noexcept {
  return {static_cast<rank_t>(pe), fabric::window_region, offset_of(address)};
}

}  // namespace acre::shmem
