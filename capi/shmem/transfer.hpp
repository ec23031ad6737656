// SPDX-License-Identifier: BSD-3-Clause
// Puts and gets of bytes.
#pragma once

#include "access.hpp"
#include <acre/fabric/box.hpp>
#include <acre/fabric/direct_line.hpp>
#include <acre/global/memory/direct_access.hpp>
#include <acre/global/memory/put_get.hpp>
#include <acre/runtime/counters.hpp>
#include <acre/runtime/remote.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace acre::shmem {

// With zero bytes, addresses may be null.

enum class source { free_at_return, busy_until_quiet };

template <source Source>
inline void put(void* dest, const void* from, std::size_t bytes, int pe) {
  if (bytes == 0) return;
  if (void* there = mapped(dest, pe)) [[likely]] {
    acre::global::copy_direct(static_cast<std::byte*>(there), from, bytes,
                              runtime::counted::direct_put, runtime::counted::direct_put_bytes);
  } else if (Source == source::busy_until_quiet ||
             bytes <= runtime::world.conduit->offers().max_inject) {
    runtime::put_remote_nbi(remote(dest, pe), from, bytes);
  } else {
    runtime::put_remote(remote(dest, pe), from, bytes);
  }
}

inline void get(void* dest, const void* from, std::size_t bytes, int pe) {
  if (bytes == 0) return;
  if (const void* there = mapped(from, pe)) [[likely]] {
    acre::global::copy_direct(static_cast<std::byte*>(dest), there, bytes,
                              runtime::counted::direct_get, runtime::counted::direct_get_bytes);
  } else {
    runtime::get_remote(remote(from, pe), dest, bytes);
  }
}

inline void get_nbi(void* dest, const void* from, std::size_t bytes, int pe) {
  if (bytes == 0) return;
  if (mapped(from, pe) != nullptr) return get(dest, from, bytes, pe);
  runtime::get_remote_nbi(remote(from, pe), dest, bytes);
}

/// Sign-extends the PE in the register of the provider's call: an instruction less.
[[nodiscard, gnu::always_inline]] inline std::int64_t widened(int pe) noexcept {
#if defined(__x86_64__)
  register std::int64_t wide asm("r8") = pe;
  asm("" : "+r"(wide));
  return wide;
#else
  return pe;
#endif
}

template <class T>
[[gnu::always_inline]] inline void put_one(T* dest, T value, int pe) {
  const std::int64_t target = widened(pe);
  std::uintptr_t there = 0;
  if (reach(dest, target, there)) [[likely]] {
    using enum counted;
    runtime::count_sized<sizeof(T)>(direct_put_1, direct_put, direct_put_bytes);
    acre::global::store_direct(reinterpret_cast<std::byte*>(there), value);
  } else if constexpr (acre::global::is_word<T>) {
    runtime::put_remote_word_nbi<fabric::window_region>(static_cast<std::uint64_t>(target), there,
                                                        value, runtime::world.windows->spare());
  } else {
    static_assert(sizeof(T) <= fabric::direct_line::smallest_inject, "free when it returns");
    runtime::put_remote_nbi(remote(dest, pe), &value, sizeof(T));
  }
}
template <class T>
[[gnu::noinline, gnu::cold]] T get_far(const T* from, int pe) {
  T value;
  runtime::get_remote_value(remote(from, pe), &value, sizeof(T));
  return value;
}
template <class T>
[[gnu::always_inline]] inline T get_one(const T* from, int pe) {
  if (const T* there = mapped(from, pe)) [[likely]] {
    using enum counted;
    runtime::count_sized<sizeof(T)>(direct_get_1, direct_get, direct_get_bytes);
    return acre::global::load_direct<T>(reinterpret_cast<const std::byte*>(there));
  }
  return get_far(from, pe);
}

class strides {
 public:
  strides(std::size_t size, std::ptrdiff_t dst, std::ptrdiff_t sst, std::size_t elements) noexcept
      : size_(size),
        dst_(dst * static_cast<std::ptrdiff_t>(size)),
        sst_(sst * static_cast<std::ptrdiff_t>(size)),
        elements_(elements) {}

  void put(void* dest, const void* from, int pe) const {
    if (elements_ == 0) return;
    if (void* there = mapped(dest, pe)) return copy(there, from, runtime::counted::direct_put);
    runtime::put_remote_nbi(remote(dest, pe), from, box_of(dst_, sst_));
    runtime::await_quiet();
  }
  void get(void* dest, const void* from, int pe) const {
    if (elements_ == 0) return;
    if (const void* there = mapped(from, pe))
      return copy(dest, there, runtime::counted::direct_get);
    runtime::get_remote_nbi(remote(from, pe), dest, box_of(sst_, dst_));
    runtime::await_quiet();
  }

 private:
  [[nodiscard]] fabric::box box_of(std::ptrdiff_t there, std::ptrdiff_t here) const noexcept {
    fabric::box shape(size_);
    shape.repeat(elements_, there, here);
    return shape;
  }

  void copy(void* dest, const void* from, runtime::counted kind) const {
    runtime::count(kind, elements_);
    const fabric::box shape = box_of(dst_, sst_);
    for (fabric::box::walk at(shape); at.left() != 0; at.next()) {
      std::memcpy(static_cast<std::byte*>(dest) + at.remote(),
                  static_cast<const std::byte*>(from) + at.local(), shape.run_bytes());
    }
  }

  std::size_t size_;
  std::ptrdiff_t dst_;
  std::ptrdiff_t sst_;
  std::size_t elements_;
};

}  // namespace acre::shmem
