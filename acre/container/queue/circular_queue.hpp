// A queue in the memory of one rank, for all ranks of a team.
//
//     acre::circular_queue<task> tasks(acre::world(), acre::hosted_by{0}, 1'000);
//     if (!tasks.push(mine)) …                     // full: a result, not an error
//     while (auto task = tasks.pop()) run(*task);  // until it is empty
//
// Any ranks and threads push and pop at once: first in, first out, nothing lost,
// nothing twice, no value half-written. Operations are linearizable: each takes
// place at one moment between its call and its return. A push takes place when it
// reserves its places, so values are popped in the order of their reservations;
// "full" and "empty" were so at a moment of the call.
//
// A span is pushed as a whole or not at all, and lies in the queue in one piece;
// push_some and pop_some take as much as there is room for, or is there.
//
// Memory order: what a rank wrote before it pushed a value is seen by who pops it.
//
// Values: trivially copyable ones lie in the queue and are copied once each way;
// others are serialised, and those of varying size lie in the private heap of a
// rank of the host's node, until they are popped (detail/stored.hpp).
//
// Costs are of the best case, to memory of this node: A, and W or R for a slot, its
// value and its turn (which a pop writes, to give the slot back); "+ A" is a look at
// the other end, when the queue seemed full or empty. Guarantees:
//
//     push    A + nW, + A        only<push>  A + nW     local  l
//     pop     A + nR, + A        only<pop>   A + nR     local  l
//
// To another node each operation is one round trip, 2 M. Spans that no message
// carries go through memory at the host: a push 6 M + W, a pop 4 M + R; serialised
// values that none carries 2 M + W or R each.
//
// Making, resizing, migrating, clearing and destroying are collective. How it
// works: detail/queue_ends.hpp and detail/queue_ring.hpp.
#pragma once

#include <acre/container/queue/detail/hosted_queue.hpp>
#include <acre/global/guarantee.hpp>
#include <acre/global/hosted_memory.hpp>
#include <acre/global/put_get.hpp>
#include <acre/global/stored.hpp>
#include <acre/global/team.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <source_location>
#include <span>
#include <utility>

namespace acre {

/// @tparam T  trivially copyable, or serialisable; of any size
template <storable T>
class circular_queue {
  using here = std::source_location;
  using guts = detail::hosted_queue<T, detail::queue_ring<detail::stored_t<T>>>;
  static constexpr auto pushing = container_operation::push;
  static constexpr auto popping = container_operation::pop;
  static constexpr auto all = detail::portion::all;
  static constexpr auto some = detail::portion::some;

 public:
  using value_type = T;

  /// No queue: good for being assigned to.
  circular_queue() = default;

  /// An empty queue for up to `capacity` values, in the memory of a member of the team.
  /// Collective. Cost: B and 1 allgather; the host's memory is touched: a slot for
  /// each value, of its size and four bytes, and their number rounded up to a power of two.
  /// @throws acre::error on all members when the capacity is 0, the host is no member or
  ///         has no room, or they ask for different hosts or capacities
  circular_queue(const team& members, hosted_by host, std::uint64_t capacity)
      : guts_(std::make_unique<guts>(members, host, capacity, queue_totals{})) {}
  /// The same, as if these numbers of values had been pushed and popped before, equally many.
  circular_queue(const team& members, hosted_by host, std::uint64_t capacity, queue_totals before)
      : guts_(std::make_unique<guts>(members, host, capacity, before)) {}

  /// Moves: local. Destruction: collective, B; queues may be destroyed in any order.
  circular_queue(circular_queue&&) noexcept = default;
  circular_queue& operator=(circular_queue&&) noexcept = default;
  ~circular_queue() = default;

  // --- pushing and popping ------------------------------------------------------------
  // All of these: any thread. One waits for another rank of the host's node only
  // while that one copies a value to or from the very place, and makes no
  // progress meanwhile. With `local`: on the host only, @throws acre::error elsewhere.

  /// Adds a value at the end. @return whether there was room
  template <guarantee_allowing<pushing> Guarantee = no_guarantee>
  bool push(const T& value, Guarantee guarantee = {}, const here& where = here::current()) {
    return get("circular_queue::push").push(std::span(&value, 1), all, guarantee, where) == 1;
  }
  /// Adds the values at the end, one after the other with none between them, if
  /// there is room for all of them.
  template <guarantee_allowing<pushing> Guarantee = no_guarantee>
  bool push(std::span<const T> values, Guarantee guarantee = {},
            const here& where = here::current()) {
    return get("circular_queue::push").push(values, all, guarantee, where) == values.size();
  }
  /// Adds as many of the values as there is room for, the first ones, in one piece.
  /// @return how many; fewer than all when at a moment of the call there was room for so few
  template <guarantee_allowing<pushing> Guarantee = no_guarantee>
  std::size_t push_some(std::span<const T> values, Guarantee guarantee = {},
                        const here& where = here::current()) {
    return get("circular_queue::push_some").push(values, some, guarantee, where);
  }

  /// Takes the oldest value, if there is one.
  template <guarantee_allowing<popping> Guarantee = no_guarantee>
  [[nodiscard]] std::optional<T> pop(Guarantee guarantee = {},
                                     const here& where = here::current()) {
    return get("circular_queue::pop").pop_one(guarantee, where);
  }
  /// Takes the oldest values.size() values, if there are so many. @return whether it did
  template <guarantee_allowing<popping> Guarantee = no_guarantee>
  bool pop(std::span<T> values, Guarantee guarantee = {}, const here& where = here::current()) {
    return get("circular_queue::pop").pop(values, all, guarantee, where) == values.size();
  }
  /// Takes the oldest values, at most values.size(), into the front of `values`.
  /// @return how many; fewer than that when at a moment of the call there were so few
  template <guarantee_allowing<popping> Guarantee = no_guarantee>
  std::size_t pop_some(std::span<T> values, Guarantee guarantee = {},
                       const here& where = here::current()) {
    return get("circular_queue::pop_some").pop(values, some, guarantee, where);
  }

  /// The oldest value, if there is one, which stays. Cost: 2 A + R; 2 M.
  [[nodiscard]] std::optional<T> peek(const here& where = here::current()) const
    requires(!detail::is_separate<T>)
  {
    return get("circular_queue::peek").peek(where);
  }

  // --- waiting ----------------------------------------------------------------------------
  // These wait until there is room, or a value: politely, with progress (RPCs run). To
  // another node they ask again after pauses of up to 2 ms.

  /// Adds the value as soon as there is room.
  void push_wait(const T& value, const here& where = here::current()) {
    get("circular_queue::push_wait").push_wait(std::span(&value, 1), where);
  }
  /// Adds all values, in one piece, as soon as there is room for them.
  /// @throws acre::error when they are more than the capacity
  void push_wait(std::span<const T> values, const here& where = here::current()) {
    get("circular_queue::push_wait").push_wait(values, where);
  }
  /// Takes the oldest value as soon as there is one.
  [[nodiscard]] T pop_wait(const here& where = here::current()) {
    return get("circular_queue::pop_wait").pop_one_wait(where);
  }
  /// Takes the oldest values.size() values as soon as there are so many.
  /// @throws acre::error when they are more than the capacity
  void pop_wait(std::span<T> values, const here& where = here::current()) {
    get("circular_queue::pop_wait").pop_wait(values, where);
  }

  // --- what there is ------------------------------------------------------------------------

  /// How many values were ever pushed and popped, modulo 2^64, both at one moment of
  /// the call. Cost: 3 A; 2 M.
  [[nodiscard]] queue_totals totals(const here& where = here::current()) const {
    return get("circular_queue::totals").totals(where);
  }
  /// The number of values at a moment of the call. Cost: as totals().
  [[nodiscard]] std::uint64_t size(const here& where = here::current()) const {
    return get("circular_queue::size").totals(where).size();
  }
  [[nodiscard]] bool empty(const here& where = here::current()) const { return size(where) == 0; }

  /// How many values it takes. l.
  [[nodiscard]] std::uint64_t capacity() const {
    return get("circular_queue::capacity").capacity();
  }
  /// The member of the team in whose memory it lies. l.
  [[nodiscard]] rank_t host() const { return get("circular_queue::host").host(); }
  [[nodiscard]] const team& members() const { return get("circular_queue::members").members(); }
  /// Whether there is a queue: not after it was moved away, or made without a team.
  [[nodiscard]] explicit operator bool() const noexcept { return guts_ != nullptr; }

  /// Calls f(value), with copies, for each value from the oldest to the newest; on the
  /// host, while nobody else uses the queue. l.
  /// @throws acre::error on other ranks
  template <std::invocable<const T&> F>
  void for_each_local(F&& f, const here& where = here::current()) const {
    get("circular_queue::for_each_local").for_each(std::forward<F>(f), where);
  }

  // --- collective --------------------------------------------------------------------------
  // No other operation on the queue is under way on any rank.

  /// Drops all values. The totals go on. Cost: 2 B.
  void clear() { get("circular_queue::clear").clear(); }

  /// Gives the queue another capacity. Values, order and totals stay. Cost: 2 B, 2 collectives.
  /// @throws acre::error on all members, with nothing changed, when the values do not
  ///         fit, the members differ, or the host has no room
  void resize(std::uint64_t capacity) { get("circular_queue::resize").resize(capacity); }
  /// Moves the queue to the memory of another member. Values, order and totals stay.
  /// Cost: 2 B, 2 collectives, and R by the new host.
  /// @throws acre::error on all members, with nothing changed, when the new host is no
  ///         member or has no room, or the members differ
  void migrate(hosted_by host) { get("circular_queue::migrate").migrate(host); }

 private:
  [[nodiscard]] guts& get(const char* call) const {
    if (guts_ == nullptr) [[unlikely]] {
      detail::throw_no_queue(call, "circular_queue{team, host, capacity}");
    }
    return *guts_;
  }

  std::unique_ptr<guts> guts_;
};

}  // namespace acre
