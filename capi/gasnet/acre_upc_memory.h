/* SPDX-License-Identifier: BSD-3-Clause */
/* UPC's pointers to shared, allocation, copies, and locks of one thread, above acre_upc.h.
 *
 *   auto p = acre::upc::all_alloc<int, 4>(100);   // upc_all_alloc(25, 4 * sizeof(int))
 *   *(p + 7) = 1;
 *   acre::upc::barrier();
 *   acre::upc::free(p);                            // one thread
 *
 * Allocation without collectives takes a lock, and a list of blocks, at thread 0. */
#ifndef ACRE_UPC_MEMORY_H
#define ACRE_UPC_MEMORY_H

#include "acre_upc.h"

#include <algorithm>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace acre::upc {

namespace detail {

inline constexpr std::size_t null_offset = ~std::size_t{0};

/// Bytes at an equal offset of all heaps, by one thread. Cost: 2 R, 2 W and at least 3 A at
/// thread 0.
[[nodiscard]] std::size_t allocate_alone(const char* what, std::size_t bytes);
/// As allocate_alone(), collective.
[[nodiscard]] std::size_t allocate_together(const char* what, std::size_t bytes);
void free_block(std::size_t offset);
void copy(position to, position from, std::size_t bytes);
void set(position to, int value, std::size_t bytes);

}  // namespace detail

/// shared [B] T *. B = 0: the indefinite block, all elements at one thread.
template <class T, std::size_t B = 1>
class shared_pointer {
 public:
  using difference = std::ptrdiff_t;

  /// Null.
  constexpr shared_pointer() noexcept = default;
  constexpr shared_pointer(std::nullptr_t) noexcept {}
  constexpr shared_pointer(position where, std::size_t phase = 0) noexcept
      : where_(where), phase_(phase) {}

  /// A cast between block sizes keeps thread and address; the phase becomes 0.
  template <std::size_t C>
  [[nodiscard]] static shared_pointer of(const shared_pointer<T, C>& other) noexcept {
    return shared_pointer(other.where());
  }

  explicit operator bool() const noexcept { return where_.offset != detail::null_offset; }
  [[nodiscard]] element<T> operator*() const {
    static_assert(std::is_trivially_copyable_v<T>);
    if constexpr (base::has_checks) {
      if (!*this) detail::fail("shared_pointer", "the pointer is null");
    }
    return element<T>(where_);
  }
  const T* operator->() const = delete;  // copy the element: T(*p).member
  [[nodiscard]] element<T> operator[](difference i) const { return *(*this + i); }

  /// upc_threadof, upc_phaseof, upc_addrfield, upc_resetphase.
  [[nodiscard]] std::uint32_t thread() const noexcept {
    return static_cast<std::uint32_t>(where_.thread);
  }
  [[nodiscard]] std::size_t phase() const noexcept { return phase_; }
  [[nodiscard]] std::size_t address() const noexcept { return where_.offset; }
  [[nodiscard]] shared_pointer without_phase() const noexcept { return shared_pointer(where_); }
  [[nodiscard]] position where() const noexcept { return where_; }

  /// A pointer to private, for memory of this node; null for others and for null.
  [[nodiscard]] T* local() const noexcept {
    if (!*this) return nullptr;
    const runtime::reached there(detail::heap.bases[where_.thread] + where_.offset);
    return there.is_here() ? reinterpret_cast<T*>(there.address()) : nullptr;
  }

  [[nodiscard]] friend shared_pointer operator+(const shared_pointer& p, difference i) noexcept {
    if constexpr (B == 0) {
      return {{p.where_.thread, p.moved(i)}, 0};
    } else {
      const auto threads = static_cast<difference>(detail::heap.threads);
      const auto block = static_cast<difference>(B);
      const difference in_block = static_cast<difference>(p.phase_) + i;
      const difference phase = remainder(in_block, block);
      const difference thread =
          static_cast<difference>(p.where_.thread) + quotient(in_block, block);
      const difference rows = quotient(thread, threads);
      const difference elements = phase - static_cast<difference>(p.phase_) + rows * block;
      return {{static_cast<std::size_t>(remainder(thread, threads)), p.moved(elements)},
              static_cast<std::size_t>(phase)};
    }
  }
  [[nodiscard]] friend shared_pointer operator+(difference i, const shared_pointer& p) noexcept {
    return p + i;
  }
  [[nodiscard]] friend shared_pointer operator-(const shared_pointer& p, difference i) noexcept {
    return p + -i;
  }
  shared_pointer& operator+=(difference i) noexcept { return *this = *this + i; }
  shared_pointer& operator-=(difference i) noexcept { return *this = *this - i; }
  shared_pointer& operator++() noexcept { return *this += 1; }
  shared_pointer& operator--() noexcept { return *this -= 1; }
  shared_pointer operator++(int) noexcept { return std::exchange(*this, *this + 1); }
  shared_pointer operator--(int) noexcept { return std::exchange(*this, *this - 1); }

  /// Number of elements between two pointers to one array.
  [[nodiscard]] friend difference operator-(const shared_pointer& p,
                                            const shared_pointer& q) noexcept {
    const difference elements =
        (static_cast<difference>(p.where_.offset) - static_cast<difference>(q.where_.offset)) /
        static_cast<difference>(sizeof(T));
    if constexpr (B == 0) return elements;
    const auto phases = static_cast<difference>(p.phase_) - static_cast<difference>(q.phase_);
    const difference threads =
        static_cast<difference>(p.where_.thread) - static_cast<difference>(q.where_.thread);
    return (elements - phases) * static_cast<difference>(detail::heap.threads) +
           threads * static_cast<difference>(B) + phases;
  }
  [[nodiscard]] friend bool operator==(const shared_pointer& p, const shared_pointer& q) noexcept {
    return p.where_.thread == q.where_.thread && p.where_.offset == q.where_.offset;
  }
  /// Order of elements of one array.
  [[nodiscard]] friend std::strong_ordering operator<=>(const shared_pointer& p,
                                                        const shared_pointer& q) noexcept {
    return (p - q) <=> difference{0};
  }

 private:
  [[nodiscard]] std::size_t moved(difference elements) const noexcept {
    return where_.offset + static_cast<std::size_t>(elements) * sizeof(T);
  }
  [[nodiscard]] static constexpr difference remainder(difference a, difference b) noexcept {
    return (a % b + b) % b;
  }
  [[nodiscard]] static constexpr difference quotient(difference a, difference b) noexcept {
    return (a - remainder(a, b)) / b;
  }

  position where_{0, detail::null_offset};
  std::size_t phase_ = 0;
};

/// &x[index]
template <class T, std::size_t B>
[[nodiscard]] shared_pointer<T, B> pointer_to(const shared_array<T, B>& x, std::size_t index) {
  return {x[index].where(), x.phase_of(index)};
}

namespace detail {

template <class T, std::size_t B>
std::size_t bytes_per_thread(const char* what, std::size_t size) {
  require_program(what);
  const std::size_t elements = B == 0 ? size : divide_up(size, B * heap.threads) * B;
  return base::bytes_for(std::max(elements, size / heap.threads), sizeof(T));
}

}  // namespace detail

/// upc_all_alloc: collective; all threads receive the same pointer. The elements are zero.
template <class T, std::size_t B = 1>
[[nodiscard]] shared_pointer<T, B> all_alloc(std::size_t size) {
  return position{
      0, detail::allocate_together("all_alloc", detail::bytes_per_thread<T, B>("all_alloc", size))};
}
/// upc_global_alloc: one thread; each call returns another array.
template <class T, std::size_t B = 1>
[[nodiscard]] shared_pointer<T, B> global_alloc(std::size_t size) {
  return position{0, detail::allocate_alone("global_alloc",
                                            detail::bytes_per_thread<T, B>("global_alloc", size))};
}
/// upc_alloc: `size` elements with affinity to the calling thread.
template <class T>
[[nodiscard]] shared_pointer<T, 0> alloc(std::size_t size) {
  return position{mythread(), detail::allocate_alone("alloc", base::bytes_for(size, sizeof(T)))};
}
/// upc_free: one thread, any; null has no effect.
template <class T, std::size_t B>
void free(const shared_pointer<T, B>& p) {
  if (p) detail::free_block(p.address());
}
/// upc_all_free: collective, after all threads have entered.
template <class T, std::size_t B>
void all_free(const shared_pointer<T, B>& p) {
  barrier();
  if (mythread() == 0) free(p);
}

/// upc_memcpy: `size` elements, contiguous in the memory of one thread each. Relaxed.
template <class T, std::size_t B, std::size_t C>
void memcpy(const shared_pointer<T, B>& to, const shared_pointer<T, C>& from, std::size_t size) {
  detail::copy(to.where(), from.where(), size * sizeof(T));
}
/// upc_memput: `size` elements, contiguous in one thread's memory. Relaxed; `from` is free at
/// return.
template <class T, std::size_t B>
void memput(const shared_pointer<T, B>& to, const T* from, std::size_t size) {
  detail::put_relaxed(to.where().thread, to.where().offset, from, size * sizeof(T));
}
/// upc_memget: `size` elements, contiguous in one thread's memory, after a fence.
template <class T, std::size_t B>
void memget(T* to, const shared_pointer<T, B>& from, std::size_t size) {
  fence();
  detail::get(from.where().thread, from.where().offset, to, size * sizeof(T));
}
/// upc_memset: the bytes of `size` elements, contiguous in one thread's memory. Relaxed.
template <class T, std::size_t B>
void memset(const shared_pointer<T, B>& to, int byte, std::size_t size) {
  detail::set(to.where(), byte, size * sizeof(T));
}

/// upc_forall (i = begin; i < end; i++; i): iteration i on thread i % THREADS.
template <std::invocable<std::size_t> Body>
void forall(std::size_t begin, std::size_t end, Body&& body) {
  const std::size_t own = begin + (mythread() + threads() - begin % threads()) % threads();
  for (std::size_t i = own; i < end; i += threads()) body(i);
}
/// upc_forall (i = begin; i < end; i++; affinity(i)): affinity returns a pointer to shared, or an
/// integer, modulo THREADS.
template <std::invocable<std::size_t> Affinity, std::invocable<std::size_t> Body>
void forall(std::size_t begin, std::size_t end, Affinity&& affinity, Body&& body) {
  for (std::size_t i = begin; i < end; ++i) {
    const auto place = affinity(i);
    if constexpr (std::integral<std::remove_const_t<decltype(place)>>) {
      if (static_cast<std::size_t>(place) % threads() == mythread()) body(i);
    } else {
      if (place.thread() == mythread()) body(i);
    }
  }
}

/// upc_lock_t *, of upc_global_lock_alloc.
class lock_pointer {
 public:
  lock_pointer() noexcept = default;
  explicit lock_pointer(position where) noexcept : where_(where) {}
  /// False for null.
  explicit operator bool() const noexcept { return where_.offset != detail::null_offset; }
  /// upc_lock, in the order of calls. Cost: 1 A, and 1 A per look at the turn.
  void acquire() const;
  /// upc_lock_attempt. Cost: 2 A.
  [[nodiscard]] bool attempt() const;
  /// upc_unlock: a fence and 1 A.
  void release() const;
  [[nodiscard]] position where() const noexcept { return where_; }

 private:
  position where_{0, detail::null_offset};
};
/// One thread, at which the lock resides.
[[nodiscard]] lock_pointer global_lock_alloc();
/// upc_lock_free: one thread; null has no effect.
void lock_free(const lock_pointer& lock);

/// upc_global_exit.
[[noreturn]] void global_exit(int status);

}  // namespace acre::upc

#endif
