// SPDX-License-Identifier: BSD-3-Clause
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
// rank of the host's node, until they are popped (global/stored.hpp).
//
// Costs are of the best case, to memory of this node: A, and W or R for a slot, its
// value and its turn (which a pop writes, to give the slot back); "+ A" is a look at
// the other end, when the queue seemed full or empty. Guarantees:
//
//     push    A + nW, + A        only<push>  A + nW     local  l
//     pop     A + nR, + A        only<pop>   A + nR     local  l
//
// To another node each operation is one round trip, 2 M. Spans that no message
// carries go through memory at the host: a push 6 M + W, a pop 3 M + R. Serialised
// values: 6 M + W as well; if one of them fits no message 2 M + W each. Popped, those that
// together fit no message are read from where they are, R + M each, all reads at once.
//
// Making, resizing, migrating, clearing and destroying are collective. How it
// works: detail/queue_ends.hpp and detail/queue_ring.hpp.
#pragma once

#include <acre/base/site.hpp>
#include <acre/container/queue/detail/queue_operations.hpp>
#include <acre/container/queue/detail/queue_ring.hpp>

#include <cstdint>
#include <optional>
#include <span>

namespace acre {

/// Pushing, popping, and what is there: detail/queue_operations.hpp. One operation waits for
/// another rank of the host's node only while that one copies a value to or from the very place,
/// and makes no progress meanwhile.
/// Moves: local. Destruction: collective, B; queues may be destroyed in any order.
/// @tparam T  trivially copyable, or serialisable; of any size
template <storable T>
class circular_queue : public container::queue_operations<T, container::queue_ring<stored_t<T>>,
                                                          no_guarantee, no_guarantee> {
  using operations = container::queue_operations<T, container::queue_ring<stored_t<T>>,
                                                 no_guarantee, no_guarantee>;

 public:
  /// No queue: good for being assigned to.
  circular_queue() = default;

  /// An empty queue for up to `capacity` values, in the memory of a member of the team.
  /// Collective. Cost: B and 1 allgather; the host's memory is touched: a slot for
  /// each value, of its size and four bytes, and their number rounded up to a power of two.
  /// With `before`: as if these numbers of values had been pushed and popped, equally many.
  /// With a capacity of 0 it is full and empty at once: pushes and pops say so.
  /// @throws acre::error on all members when the host is no member or has no room, or they ask for
  ///         different hosts or capacities
  circular_queue(const team& members, hosted_by host, std::uint64_t capacity,
                 queue_totals before = {}, const site& where = site::current())
      : operations(members, host, capacity, before, where) {}

  /// The oldest value, if there is one, which stays. Cost: 2 A + R; 2 M.
  [[nodiscard]] std::optional<T> peek(const site& where = site::current()) const
    requires(!is_separate<T>)
  {
    return this->get("peek").peek(where);
  }

  // --- waiting ----------------------------------------------------------------------------
  // These wait until there is room, or a value: politely, with progress (RPCs run). To
  // another node they ask again after pauses of up to 2 ms.

  /// Adds the value as soon as there is room.
  void push_wait(const T& value, const site& where = site::current()) {
    this->get("push_wait").push_wait(std::span(&value, 1), where);
  }
  /// Adds all values, in one piece, as soon as there is room for them.
  /// @throws acre::error when they are more than the capacity
  void push_wait(std::span<const T> values, const site& where = site::current()) {
    this->get("push_wait").push_wait(values, where);
  }
  /// Takes the oldest value as soon as there is one.
  [[nodiscard]] T pop_wait(const site& where = site::current()) {
    return this->get("pop_wait").pop_one_wait(where);
  }
  /// Takes the oldest values.size() values as soon as there are so many.
  /// @throws acre::error when they are more than the capacity
  void pop_wait(std::span<T> values, const site& where = site::current()) {
    this->get("pop_wait").pop_wait(values, where);
  }
};

}  // namespace acre
