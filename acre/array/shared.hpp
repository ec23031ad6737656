// SPDX-License-Identifier: BSD-3-Clause
// One value in one member's memory, accessible to the team. Numbers of up to 16 bytes use atomics;
// other types may be torn without a barrier or a global_lock.
#pragma once

#include <acre/base/construct.hpp>
#include <acre/base/site.hpp>
#include <acre/base/unique_object.hpp>
#include <acre/global/memory/atomic.hpp>
#include <acre/global/memory/put_get.hpp>
#include <acre/global/team/hosted_memory.hpp>
#include <acre/global/team/member.hpp>
#include <acre/global/team/team.hpp>
#include <acre/global/team/team_object.hpp>
#include <acre/runtime/lost_failure.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <typeinfo>

namespace acre {

class shared_counter;

/// Moves: local. Thread-safe. Destruction: collective, B.
template <class T>
class shared {
  static constexpr std::size_t alignment = atomic_value<T> ? sizeof(T) : alignof(T);
  static constexpr bool is_plain = transferable<T> && !std::is_const_v<T>;
  static_assert(
      is_plain,
      "ranks read and write a shared<T> as bytes: T must be trivially copyable, and not a pointer");

 public:
  using value_type = T;

  shared() = default;

  /// Makes the value on `host`. Collective. Cost: B and 1 allgather.
  /// @throws acre::error on all members for an invalid or differing `host`
  explicit shared(const team& members, const T& initial = T{}, hosted_by host = {},
                  const site& where = site::current())
      : shared(as_shared, members, initial, host, where) {}

  /// Returns the value. Cost: A; for types without atomics R, l on the host's node.
  [[nodiscard]] T get(const site& where = site::current()) const {
    if constexpr (atomic_value<T>) {
      return atomic_load(pointer(), std::memory_order_seq_cst, where);
    } else {
      return acre::get(pointer(), where);
    }
  }
  /// Sets the value, complete in the host's memory on return. Cost: A; for types without atomics W.
  void set(const T& value, const site& where = site::current()) const {
    if constexpr (atomic_value<T>) {
      atomic_store(pointer(), value, std::memory_order_seq_cst, where);
    } else {
      put(pointer(), value, where);
    }
  }

  // The following return the previous value. Cost: A.

  T exchange(T value) const
    requires atomic_value<T>
  {
    return atomic_exchange(pointer(), value);
  }
  /// Stores `desired` if the value is `expected`; returns the previous value.
  T compare_exchange(T expected, T desired) const
    requires atomic_integer<T>
  {
    return atomic_compare_exchange(pointer(), expected, desired);
  }
  T fetch_add(T operand) const
    requires atomic_value<T>
  {
    return acre::fetch_add(pointer(), operand);
  }
  T fetch_min(T operand) const
    requires atomic_real<T>
  {
    return acre::fetch_min(pointer(), operand);
  }
  T fetch_max(T operand) const
    requires atomic_real<T>
  {
    return acre::fetch_max(pointer(), operand);
  }

  /// Address of the value. For types with atomics, do not put during concurrent atomics.
  [[nodiscard]] global_ptr<T> pointer() const {
    return global_ptr<T>::from_bits(get_held("shared::pointer").memory().bits());
  }
  [[nodiscard]] member host() const { return members()[*members().member(pointer().rank())]; }
  [[nodiscard]] const team& members() const { return get_held("shared::members").members(); }
  [[nodiscard]] std::uint64_t identity() const {
    return get_held("shared::identity").memory().identity();
  }
  [[nodiscard]] explicit operator bool() const noexcept { return held_ != nullptr; }

 private:
  friend class shared_counter;

  struct names {
    const char* constructor;
    const char* destructor;
  };
  static constexpr names as_shared{"shared", "the destructor of the shared made"};

  shared(const names& as, const team& members, const T& initial, hosted_by host,
         const site& where) {
    const runtime::failures_held until_it_is_there;
    held_ = base::make_unique_object<held>(as, members, host, where);
    if (held_->memory().mine() != nullptr) {
      base::construct(reinterpret_cast<T*>(held_->memory().mine()), initial);
    }
    members.barrier(where);
  }

  struct held : team_object<hosted_memory> {
    held(const names& as, const team& of, hosted_by host, const site& where)
        : team_object(
              of,
              hosted_memory(of, host, sizeof(T), alignment, as.constructor,
                            {.number = sizeof(T), .unit = "bytes", .type = &typeid(T)}, where),
              as.destructor, where) {}
    using team_object::memory;
  };
  [[nodiscard]] const held& get_held(const char* call) const {
    return global::require_object(held_.get(), call, "shared", "shared<T>{team, initial}");
  }

  base::unique_object<held> held_;
};

}  // namespace acre
