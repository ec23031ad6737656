// SPDX-License-Identifier: BSD-3-Clause
// What every queue of this room offers: a handle to its memory and host, which moves, and the
// operations that do not depend on how the values lie between the two ends.
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

namespace acre::container {

/// @tparam Ring  how the values lie in memory
/// @tparam Pushing, Popping  what is guaranteed where a caller says nothing
template <class T, class Ring, class Pushing, class Popping>
class queue_operations {
  static constexpr auto push_operation = container_operation::push;
  static constexpr auto pop_operation = container_operation::pop;

 public:
  using value_type = T;

  // --- pushing and popping ------------------------------------------------------------
  // All of these: any thread. With `local`: on the host only, @throws acre::error elsewhere.

  /// Adds a value at the end. @return whether there was room
  template <guarantee_allowing<push_operation> Guarantee = Pushing>
  bool push(const T& value, Guarantee guarantee = {}, const site& where = site::current()) {
    return get("push").push(std::span(&value, 1), portion::all, guarantee, where) == 1;
  }
  /// Adds the values at the end, one after the other with none between them, if
  /// there is room for all of them.
  template <guarantee_allowing<push_operation> Guarantee = Pushing>
  bool push(std::span<const T> values, Guarantee guarantee = {},
            const site& where = site::current()) {
    return get("push").push(values, portion::all, guarantee, where) == values.size();
  }
  /// Adds as many of the values as there is room for, the first ones, in one piece.
  /// @return how many; fewer than all when at a moment of the call there was room for so few
  template <guarantee_allowing<push_operation> Guarantee = Pushing>
  std::size_t push_some(std::span<const T> values, Guarantee guarantee = {},
                        const site& where = site::current()) {
    return get("push_some").push(values, portion::some, guarantee, where);
  }

  /// Takes the oldest value, if there is one.
  template <guarantee_allowing<pop_operation> Guarantee = Popping>
  [[nodiscard]] std::optional<T> pop(Guarantee guarantee = {},
                                     const site& where = site::current()) {
    return get("pop").pop_one(guarantee, where);
  }
  /// Takes the oldest values.size() values, if there are so many. @return whether it did
  template <guarantee_allowing<pop_operation> Guarantee = Popping>
  bool pop(std::span<T> values, Guarantee guarantee = {}, const site& where = site::current()) {
    return get("pop").pop(values, portion::all, guarantee, where) == values.size();
  }
  /// Takes the oldest values, at most values.size(), into the front of `values`.
  /// @return how many; fewer than that when at a moment of the call there were so few
  template <guarantee_allowing<pop_operation> Guarantee = Popping>
  std::size_t pop_some(std::span<T> values, Guarantee guarantee = {},
                       const site& where = site::current()) {
    return get("pop_some").pop(values, portion::some, guarantee, where);
  }

  // --- what there is ------------------------------------------------------------------------

  /// How many values were ever pushed and popped, modulo 2^64, both at one moment of
  /// the call. Cost: 3 A; 2 M.
  [[nodiscard]] queue_totals totals(const site& where = site::current()) const {
    return get("totals").totals(where);
  }
  /// The number of values at a moment of the call. Cost: as totals().
  [[nodiscard]] std::uint64_t size(const site& where = site::current()) const {
    return get("size").totals(where).size();
  }
  [[nodiscard]] bool empty(const site& where = site::current()) const { return size(where) == 0; }

  /// How many values it takes. l.
  [[nodiscard]] std::uint64_t capacity() const { return get("capacity").capacity(); }
  /// The member of the team in whose memory it lies. l.
  [[nodiscard]] member host() const {
    const auto& held = get("host");
    return held.members()[held.host()];
  }
  [[nodiscard]] const team& members() const { return get("members").members(); }
  /// Whether there is a queue: not after it was moved away, or made without a team.
  [[nodiscard]] explicit operator bool() const noexcept { return guts_ != nullptr; }

  /// Calls f(value), with copies, for each value from the oldest to the newest; on the
  /// host, while nobody else uses the queue. l.
  /// @throws acre::error on other ranks
  template <std::invocable<const T&> F>
  void for_each_local(F&& f, const site& where = site::current()) const {
    get("for_each_local").for_each(std::forward<F>(f), where);
  }

  // --- collective --------------------------------------------------------------------------
  // No other operation on the queue is under way on any rank.

  /// Drops all values. The totals go on. Cost: 2 B.
  void clear(const site& where = site::current()) { get("clear").clear(where); }

  /// Gives the queue another capacity. Values, order and totals stay. Cost: 2 B, 2 collectives.
  /// @throws acre::error on all members, with nothing changed, when the values do not
  ///         fit, the members differ, or the host has no room
  void resize(std::uint64_t capacity, const site& where = site::current()) {
    get("resize").resize(capacity, where);
  }
  /// Moves the queue to the memory of another member. Values, order and totals stay.
  /// Cost: 2 B, 2 collectives, and R by the new host.
  /// @throws acre::error on all members, with nothing changed, when the new host is no
  ///         member or has no room, or the members differ
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
