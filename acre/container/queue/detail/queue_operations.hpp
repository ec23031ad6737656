// SPDX-License-Identifier: BSD-3-Clause
// Operations common to all queues.
#pragma once

#include <acre/base/site.hpp>
#include <acre/container/guarantee.hpp>
#include <acre/container/queue/detail/hosted_queue.hpp>
#include <acre/global/team/hosted_memory.hpp>
#include <acre/global/team/stored.hpp>
#include <acre/global/team/team.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace acre::container {

/// @tparam Pushing, Popping  default guarantees
template <class T, class Ring, class Pushing, class Popping>
class queue_operations {
  static constexpr auto push_operation = container_operation::push;
  static constexpr auto pop_operation = container_operation::pop;

 public:
  using value_type = T;

  // --- pushing and popping ------------------------------------------------------------
  //
  // Any thread. With `local` on the host only, else acre::error.

  /// Adds a value at the end. @return false if full
  template <guarantee_allowing<push_operation> Guarantee = Pushing>
  bool push(const T& value, Guarantee guarantee = {}, const site& where = site::current()) {
    return get("push").push(std::span(&value, 1), portion::all, guarantee, where) == 1;
  }
  /// Adds all values contiguously. @return false if they do not fit
  template <guarantee_allowing<push_operation> Guarantee = Pushing>
  bool push(std::span<const T> values, Guarantee guarantee = {},
            const site& where = site::current()) {
    return get("push").push(values, portion::all, guarantee, where) == values.size();
  }
  /// Adds the first values that fit, contiguously.
  /// @return number; if short, exact at a moment of the call
  template <guarantee_allowing<push_operation> Guarantee = Pushing>
  std::size_t push_some(std::span<const T> values, Guarantee guarantee = {},
                        const site& where = site::current()) {
    return get("push_some").push(values, portion::some, guarantee, where);
  }

  /// Removes the oldest value, if any.
  template <guarantee_allowing<pop_operation> Guarantee = Popping>
  [[nodiscard]] std::optional<T> pop(Guarantee guarantee = {},
                                     const site& where = site::current()) {
    return get("pop").pop_one(guarantee, where);
  }
  /// Removes the oldest values.size() values. @return false if there are fewer
  template <guarantee_allowing<pop_operation> Guarantee = Popping>
  bool pop(std::span<T> values, Guarantee guarantee = {}, const site& where = site::current()) {
    return get("pop").pop(values, portion::all, guarantee, where) == values.size();
  }
  /// Moves the oldest values into the front of `values`.
  /// @return number; if short, exact at a moment of the call
  template <guarantee_allowing<pop_operation> Guarantee = Popping>
  std::size_t pop_some(std::span<T> values, Guarantee guarantee = {},
                       const site& where = site::current()) {
    return get("pop_some").pop(values, portion::some, guarantee, where);
  }

  /// Totals modulo 2^64, at one moment of the call. Cost: 3 A; other nodes: 2 M.
  [[nodiscard]] queue_totals totals(const site& where = site::current()) const {
    return get("totals").totals(where);
  }
  /// Cost: as totals().
  [[nodiscard]] std::uint64_t size(const site& where = site::current()) const {
    return get("size").totals(where).size();
  }
  [[nodiscard]] bool empty(const site& where = site::current()) const { return size(where) == 0; }

  [[nodiscard]] std::uint64_t capacity() const { return get("capacity").capacity(); }
  [[nodiscard]] member host() const {
    const auto& held = get("host");
    return held.members()[held.host()];
  }
  [[nodiscard]] const team& members() const { return get("members").members(); }
  [[nodiscard]] explicit operator bool() const noexcept { return guts_ != nullptr; }

  /// Values as an array, on any rank, while no rank pushes or pops. Cost: R; at other nodes with
  /// ACRE_CHECKS, or by ACRE_READ_WAY=message: 2 M.
  /// @throws acre::error for a broken guarantee (ACRE_CHECKS)
  template <guarantee_allowing<container_operation::find> Guarantee =
                only_guarantee<container_operation::find>>
    requires(excludes<Guarantee, push_operation, pop_operation> && !is_separate<T>)
  [[nodiscard]] settled_values<T> settled(Guarantee guarantee = {},
                                          const site& where = site::current()) const {
    const auto& held = get("settled");
    return held.settled(entry_if_checked(held.members(), container_operation::find, guarantee),
                        where);
  }

  /// Calls f(value) with copies, oldest first, on the host, without concurrent use. l.
  /// @throws acre::error on other ranks
  template <std::invocable<const T&> F>
  void for_each_local(F&& f, const site& where = site::current()) const {
    get("for_each_local").for_each(std::forward<F>(f), where);
  }

  /// Copies of the values on the host, as for_each_local(); empty on other ranks. l.
  [[nodiscard]] std::vector<T> own_elements(const site& where = site::current()) const {
    std::vector<T> all;
    if (!host().is_this_rank()) return all;
    get("own_elements").for_each([&](const T& value) { all.push_back(value); }, where);
    return all;
  }

  // --- collective --------------------------------------------------------------------------
  //
  // No other operation is in progress on any rank. An error is thrown on all members, without
  // effect.

  /// Removes all values; totals continue. Cost: 2 B.
  void clear(const site& where = site::current()) { get("clear").clear(where); }

  /// Changes the capacity; values, order and totals stay. Cost: B + 1 broadcast + 1 allgather + 1
  /// allreduce.
  /// @throws acre::error if values do not fit, arguments differ, or the host is out of memory
  void resize(std::uint64_t capacity, const site& where = site::current()) {
    get("resize").resize(capacity, where);
  }
  /// Moves the queue to another member; values, order and totals stay. Cost: as resize(), and by
  /// the new host R per 64 KiB and per value of varying size.
  /// @throws acre::error if the host is no member or out of memory, or arguments differ
  void migrate(hosted_by host, const site& where = site::current()) {
    get("migrate").migrate(host, where);
  }

 protected:
  using guts = hosted_queue<T, Ring>;

  queue_operations() = default;
  queue_operations(const team& members, hosted_by host, std::uint64_t capacity, queue_totals before,
                   const site& where)
      : guts_(std::make_unique<guts>(members, host, capacity, before, where)) {}

  [[nodiscard]] guts& get(const char* operation) const {
    if (guts_ == nullptr) [[unlikely]] {
      throw_no_queue(Ring::calls.name, operation);
    }
    return *guts_;
  }

 private:
  std::unique_ptr<guts> guts_;
};

}  // namespace acre::container
