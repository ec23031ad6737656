// SPDX-License-Identifier: BSD-3-Clause
// FIFO queue in the memory of one rank.
//
//     acre::circular_queue<task> tasks(acre::world(), acre::hosted_by{0}, 1'000);
//     if (!tasks.push(mine)) …                     // full: not an error
//     while (auto task = tasks.pop()) run(*task);
//
// Thread-safe and linearizable, ordered by slot reservations; "full" and "empty" were true at a
// moment of the call. Writes before a push are visible after its pop.
//
// Values not trivially copyable are serialised; those of varying size reside in a private heap of
// the host's node (global/team/stored.hpp).
//
// Cost of n values on the host's node; "+ A" if the queue seems full or empty:
//
//     push    A + nW, + A        only<push>  A + nW     local  l
//     pop     A + nR, + A        only<pop>   A + nR     local  l
//
// Other nodes: 2 M. Spans larger than a message: push 6 M + W, pop 3 M + R; serialised: push 6 M +
// W, or 2 M + W each if one value is larger; pop R + M each, concurrently.
#pragma once

#include <acre/base/site.hpp>
#include <acre/container/queue/detail/queue_operations.hpp>
#include <acre/container/queue/detail/queue_ring.hpp>
#include <acre/container/queue/slot_range.hpp>

#include <cstdint>
#include <optional>
#include <span>

namespace acre {

/// An operation waits, without progress, only while another rank copies a value to or from the same
/// slot. Destruction: collective, B; queues in the same order on all members.
/// @tparam T trivially copyable or serialisable
template <storable T>
class circular_queue : public container::queue_operations<T, container::queue_ring<stored_t<T>>,
                                                          no_guarantee, no_guarantee> {
  using operations = container::queue_operations<T, container::queue_ring<stored_t<T>>,
                                                 no_guarantee, no_guarantee>;

 public:
  circular_queue() = default;

  /// Creates an empty queue on a member. Collective. Cost: B + 1 allgather; touches `capacity`
  /// slots (value and four bytes), rounded up to a power of two.
  /// @param capacity  0: always full and empty
  /// @param before  initial totals, equal to each other
  /// @throws acre::error on all members if the host is no member or out of memory, or arguments
  /// differ
  circular_queue(const team& members, hosted_by host, std::uint64_t capacity,
                 queue_totals before = {}, const site& where = site::current())
      : operations(members, host, capacity, before, where) {}

  /// Copies the oldest value, if any. Cost: 2 A + R; at other nodes 2 M.
  [[nodiscard]] std::optional<T> peek(const site& where = site::current()) const
    requires(!is_separate<T>)
  {
    return this->get("peek").peek(where);
  }

  /// The values in place, oldest first, on the host, while no other rank uses the queue: a
  /// random-access range. Valid until its next operation. l.
  /// @throws acre::error on other ranks
  [[nodiscard]] slot_range<T> local()
    requires(storage_of<T> == storage::direct)
  {
    const auto ring = this->get("local").ring_alone();
    const queue_totals totals = ring.settled().totals;
    return {ring.at(0), ring.slot_bytes, ring.slots() - 1, totals.popped, totals.size()};
  }

  // --- waiting ----------------------------------------------------------------------------
  //
  // Wait with progress (RPCs run). A host on another node is polled with pauses up to 2 ms.

  void push_wait(const T& value, const site& where = site::current()) {
    this->get("push_wait").push_wait(std::span(&value, 1), where);
  }
  /// Adds all values contiguously.
  /// @throws acre::error if they exceed the capacity
  void push_wait(std::span<const T> values, const site& where = site::current()) {
    this->get("push_wait").push_wait(values, where);
  }
  [[nodiscard]] T pop_wait(const site& where = site::current()) {
    return this->get("pop_wait").pop_one_wait(where);
  }
  /// Fills `values` with the oldest values.
  /// @throws acre::error if they exceed the capacity
  void pop_wait(std::span<T> values, const site& where = site::current()) {
    this->get("pop_wait").pop_wait(values, where);
  }
};

}  // namespace acre
