// Asking for the cache line in which the search for a key will begin.
#pragma once

#include <acre/global/guarantee.hpp>

#include <cstdint>

namespace acre::detail {

/// Asks for a line that is about to be changed.
inline void prefetch_for_change(const void* address) noexcept {
#if defined(__x86_64__)
  asm volatile("prefetchw %0" : : "m"(*static_cast<const char*>(address)));
#else
  __builtin_prefetch(address, 1);
#endif
}

template <class Operation, class View>
void prefetch_home(const View& of, std::uint64_t hash) noexcept {
  if constexpr (Operation::kind == container_operation::find) {
    __builtin_prefetch(of.home(hash));
  } else {
    prefetch_for_change(of.home(hash));
  }
}

}  // namespace acre::detail
