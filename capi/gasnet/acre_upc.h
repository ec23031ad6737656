/* SPDX-License-Identifier: BSD-3-Clause */
/* UPC shared arrays for C++20, on top of GASNet.
 *
 *   acre::upc::program run(argc, argv);
 *   acre::upc::shared_array<int, 4> x(100 * acre::upc::threads());   // shared [4] int x[...]
 *   x[7] = 1;              // relaxed: a put
 *   acre::upc::barrier();
 *   int y = x[7];
 *
 * Element i is in block i / B, with affinity to thread (i / B) % THREADS and phase i % B. B = 0 is
 * UPC's indefinite block: all elements have affinity to thread 0 and phase 0.
 *
 * Relaxed writes complete at the next fence, barrier, strict access or remote read of the same
 * thread. Two relaxed writes to one element keep their order only if the network orders puts
 * (tcp;ofi_rxm does). Strict accesses are complete at return and order all accesses of the thread.
 */
#ifndef ACRE_UPC_H
#define ACRE_UPC_H

#if !defined(__cplusplus) || __cplusplus < 202002L
#error "acre_upc.h needs C++20"
#endif

#include <acre/base/bits.hpp>
#include <acre/base/checks.hpp>
#include <acre/global/memory/direct_access.hpp>
#include <acre/runtime/reached.hpp>
#include <acre/runtime/remote.hpp>

#include <algorithm>
#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <gasnet.h>
#include <span>
#include <type_traits>
#include <utility>

namespace acre::upc {

namespace detail {

struct heap_view {
  std::size_t threads = 0;
  /// For each thread: this value plus an offset in the shared heap is a runtime::reached.
  const std::uintptr_t* bases = nullptr;
};
extern constinit heap_view heap;

/// Collective. Allocates zeroed bytes at an equal offset in all heaps; returns the offset.
[[nodiscard]] std::size_t allocate(const char* what, std::size_t bytes);
void deallocate(std::size_t offset);

/// Ends the job if the program has not started.
void require_program(const char* what);
[[noreturn]] void fail(const char* call, const char* problem);
void put(std::size_t thread, std::size_t offset, const void* source, std::size_t bytes);
void put_relaxed(std::size_t thread, std::size_t offset, const void* source, std::size_t bytes);
void get(std::size_t thread, std::size_t offset, void* destination, std::size_t bytes);
void complete_puts();

}  // namespace detail

/// A UPC program: create one object in main(), on all threads. The job ends after main().
class program {
 public:
  /// @param heap_bytes  size of each thread's shared heap
  /// @param handlers active messages, as for gasnet_attach()
  program(int& argc, char**& argv, std::size_t heap_bytes = std::size_t{64} << 20,
          std::span<gasnet_handlerentry_t> handlers = {});
  ~program();
  program(const program&) = delete;
  program& operator=(const program&) = delete;
};

[[nodiscard]] inline std::uint32_t mythread() noexcept { return runtime::world.rank; }
[[nodiscard]] inline std::uint32_t threads() noexcept {
  return static_cast<std::uint32_t>(detail::heap.threads);
}

/// upc_fence: completes this thread's writes.
[[gnu::always_inline]] inline void fence() {
  if (!runtime::network_is_quiet()) [[unlikely]] {
    detail::complete_puts();
  }
  std::atomic_thread_fence(std::memory_order_seq_cst);
}

/// upc_notify and upc_wait; an optional value must agree on all threads.
void notify();
void notify(int value);
void wait();
void wait(int value);
inline void barrier() {
  notify();
  wait();
}
inline void barrier(int value) {
  notify(value);
  wait(value);
}

/// Thread and heap offset of an element.
struct position {
  std::size_t thread;
  std::size_t offset;
};

/// Reference to an element; its accesses are relaxed.
template <class T>
class element {
 public:
  [[gnu::always_inline]] explicit element(position where) noexcept : where_(where) {}

  /// Relaxed write.
  [[gnu::always_inline]] const element& operator=(const T& value) const {
    const runtime::reached there(detail::heap.bases[where_.thread] + where_.offset);
    if (there.is_here()) [[likely]] {
      acre::global::store_direct(there.address(), value);
    } else if constexpr (acre::global::is_word<T>) {
      runtime::put_remote_word_nbi<fabric::segment_region>(where_.thread, there.offset(), value);
    } else {
      detail::put_relaxed(where_.thread, where_.offset, &value, sizeof(T));
    }
    return *this;
  }
  const element& operator=(const element& other) const { return *this = T(other); }

  /// Relaxed read.
  [[gnu::always_inline]] operator T() const {
    const runtime::reached there(detail::heap.bases[where_.thread] + where_.offset);
    if (there.is_here()) [[likely]] {
      return acre::global::load_direct<T>(there.address());
    }
    fence();
    T value;
    detail::get(where_.thread, where_.offset, &value, sizeof(T));
    return value;
  }

  const element& operator+=(const T& more) const { return *this = T(*this) + more; }
  const element& operator-=(const T& less) const { return *this = T(*this) - less; }

  [[nodiscard]] position where() const noexcept { return where_; }

 private:
  position where_;
};

/// Reference to an element; its accesses are strict.
template <class T>
class strict_element {
 public:
  explicit strict_element(position where) noexcept : where_(where) {}

  const strict_element& operator=(const T& value) const {
    fence();
    detail::put(where_.thread, where_.offset, &value, sizeof(T));
    fence();
    return *this;
  }
  operator T() const {
    fence();
    T value;
    detail::get(where_.thread, where_.offset, &value, sizeof(T));
    fence();
    return value;
  }

 private:
  position where_;
};

/// Strict access to an element: strict(x[i]) = 1.
template <class T>
[[nodiscard]] strict_element<T> strict(const element<T>& accessed) noexcept {
  return strict_element<T>(accessed.where());
}

/// shared [B] T x[n]. Construction, move and destruction are collective; `size` is equal on all
/// threads.
template <class T, std::size_t B = 1>
  requires std::is_trivially_copyable_v<T>
class shared_array {
 public:
  static constexpr std::size_t block = B;

  explicit shared_array(std::size_t size)
      : offset_(detail::allocate("shared_array", elements_per_thread(size) * sizeof(T))),
        size_(size) {}
  shared_array(shared_array&& other) noexcept
      : offset_(std::exchange(other.offset_, nowhere)), size_(std::exchange(other.size_, 0)) {}
  shared_array& operator=(shared_array&& other) noexcept {
    std::swap(offset_, other.offset_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~shared_array() {
    if (offset_ != nowhere) detail::deallocate(offset_);
  }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }

  [[gnu::always_inline]] element<T> operator[](std::size_t index) const {
    if constexpr (acre::base::has_checks) {
      if (index >= size_) detail::fail("shared_array", "the index is out of range");
    }
    return element<T>(where(index));
  }

  /// upc_threadof, upc_phaseof.
  [[nodiscard]] std::uint32_t thread_of(std::size_t index) const noexcept {
    return static_cast<std::uint32_t>(where(index).thread);
  }
  [[nodiscard]] static constexpr std::size_t phase_of(std::size_t index) noexcept {
    return B == 0 ? 0 : index % std::max<std::size_t>(B, 1);
  }
  [[nodiscard]] bool is_mine(std::size_t index) const noexcept {
    return thread_of(index) == mythread();
  }

  /// Elements with affinity to this thread, block after block.
  [[nodiscard]] std::span<T> local() const noexcept {
    auto* const first = reinterpret_cast<T*>(detail::heap.bases[mythread()] + offset_);
    return {first, local_size()};
  }

  /// upc_forall (i = 0; i < n; i++; &x[i]) body(i), on the thread of element i.
  template <std::invocable<std::size_t> Body>
  void forall(Body&& body) const {
    if (B == 0) {
      for (std::size_t i = 0; mythread() == 0 && i < size_; ++i) body(i);
      return;
    }
    const std::size_t stride = B * threads();
    for (std::size_t first = B * mythread(); first < size_; first += stride) {
      for (std::size_t i = first; i < std::min(first + B, size_); ++i) body(i);
    }
  }

  // upc_memput, upc_memget, upc_memset. Elements from `index` must be contiguous in one thread's
  // memory: the rest of a block, or any with a single thread.
  void put(std::size_t index, std::span<const T> values) const {
    const position there = where(index);
    detail::put_relaxed(there.thread, there.offset, values.data(), values.size_bytes());
  }
  void get(std::size_t index, std::span<T> values) const {
    fence();
    const position there = where(index);
    detail::get(there.thread, there.offset, values.data(), values.size_bytes());
  }

 private:
  static constexpr std::size_t nowhere = ~std::size_t{0};

  [[nodiscard]] static std::size_t elements_per_thread(std::size_t size) {
    detail::require_program("shared_array");
    if (B == 0) return size;
    return divide_up(size, B * threads()) * B;
  }
  [[nodiscard]] std::size_t local_size() const noexcept {
    if (B == 0) return mythread() == 0 ? size_ : 0;
    const std::size_t stride = B * threads();
    const std::size_t whole = size_ / stride * B;
    const std::size_t rest = size_ % stride;
    const std::size_t before = B * mythread();
    return whole + (rest > before ? std::min(rest - before, B) : 0);
  }
  [[nodiscard, gnu::always_inline]] position where(std::size_t index) const noexcept {
    if constexpr (B == 0) {
      return {0, offset_ + index * sizeof(T)};
    } else {
      const std::size_t number = index / B;
      const std::size_t row = number / detail::heap.threads;
      return {number % detail::heap.threads, offset_ + (row * B + index % B) * sizeof(T)};
    }
  }

  std::size_t offset_;
  std::size_t size_;
};

/// upc_lock_t. Construction and destruction are collective. Threads acquire it in FIFO order.
class lock {
 public:
  lock();
  ~lock();
  lock(const lock&) = delete;
  lock& operator=(const lock&) = delete;

  void acquire();
  [[nodiscard]] bool attempt();
  void release();

 private:
  std::size_t offset_;
  std::uint32_t home_;
};

}  // namespace acre::upc

#endif
