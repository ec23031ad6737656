// SPDX-License-Identifier: BSD-3-Clause
// Reference to a number of any rank whose operations are atomic, as std::atomic_ref:
//
//     a[i] += x;                        // a read and a write: updates of others may be lost
//     acre::atomic_ref(a[i]) += x;      // one atomic operation
//
// Cost: A each, between nodes a round trip; atomic_add_nbi (atomic.hpp) does not wait. All ranks
// may mix them with operations of atomic.hpp.
#pragma once

#include <acre/base/site.hpp>
#include <acre/global/memory/atomic.hpp>
#include <acre/global/memory/global_ptr.hpp>
#include <acre/global/memory/put_get.hpp>

#include <atomic>

namespace acre {

/// @tparam T  integer of 1 to 8 bytes, floating-point or complex number
template <atomic_value T>
class atomic_ref {
 public:
  using value_type = T;

  explicit constexpr atomic_ref(global_ref<T> element) noexcept : target_(&element) {}
  explicit constexpr atomic_ref(global_ptr<T> element) noexcept : target_(element) {}
  atomic_ref(const atomic_ref&) = default;
  ~atomic_ref() = default;

  [[nodiscard]] T load(std::memory_order order = std::memory_order_seq_cst,
                       const site& where = site::current()) const {
    return atomic_load(target_, order, where);
  }
  [[nodiscard]] operator T() const { return load(); }
  void store(T value, std::memory_order order = std::memory_order_seq_cst,
             const site& where = site::current()) const {
    atomic_store(target_, value, order, where);
  }
  T operator=(T value) const {
    store(value);
    return value;
  }
  atomic_ref& operator=(const atomic_ref&) = delete;
  T exchange(T value, std::memory_order order = std::memory_order_seq_cst,
             const site& where = site::current()) const {
    return atomic_exchange(target_, value, order, where);
  }
  /// Writes `desired` if the value is `expected`, else stores the value in `expected`.
  bool compare_exchange_strong(T& expected, T desired,
                               std::memory_order order = std::memory_order_seq_cst,
                               const site& where = site::current()) const
    requires atomic_integer<T>
  {
    const T found = atomic_compare_exchange(target_, expected, desired, order, where);
    const bool is_written = found == expected;
    expected = found;
    return is_written;
  }

  /// These return the previous value.
  T fetch_add(T x, std::memory_order order = std::memory_order_seq_cst,
              const site& where = site::current()) const {
    return acre::fetch_add(target_, x, order, where);
  }
  T fetch_sub(T x, std::memory_order order = std::memory_order_seq_cst,
              const site& where = site::current()) const {
    return acre::fetch_sub(target_, x, order, where);
  }
  T fetch_and(T x, std::memory_order order = std::memory_order_seq_cst,
              const site& where = site::current()) const
    requires atomic_integer<T>
  {
    return acre::fetch_and(target_, x, order, where);
  }
  T fetch_or(T x, std::memory_order order = std::memory_order_seq_cst,
             const site& where = site::current()) const
    requires atomic_integer<T>
  {
    return acre::fetch_or(target_, x, order, where);
  }
  T fetch_xor(T x, std::memory_order order = std::memory_order_seq_cst,
              const site& where = site::current()) const
    requires atomic_integer<T>
  {
    return acre::fetch_xor(target_, x, order, where);
  }

  /// These return the new value.
  T operator+=(T x) const { return static_cast<T>(fetch_add(x) + x); }
  T operator-=(T x) const { return static_cast<T>(fetch_sub(x) - x); }
  T operator&=(T x) const
    requires atomic_integer<T>
  {
    return static_cast<T>(fetch_and(x) & x);
  }
  T operator|=(T x) const
    requires atomic_integer<T>
  {
    return static_cast<T>(fetch_or(x) | x);
  }
  T operator^=(T x) const
    requires atomic_integer<T>
  {
    return static_cast<T>(fetch_xor(x) ^ x);
  }
  T operator++() const
    requires atomic_integer<T>
  {
    return *this += T{1};
  }
  T operator--() const
    requires atomic_integer<T>
  {
    return *this -= T{1};
  }
  T operator++(int) const
    requires atomic_integer<T>
  {
    return fetch_add(T{1});
  }
  T operator--(int) const
    requires atomic_integer<T>
  {
    return fetch_sub(T{1});
  }

 private:
  global_ptr<T> target_;
};

}  // namespace acre
