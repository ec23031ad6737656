// SPDX-License-Identifier: BSD-3-Clause
// A queue in the memory of one rank that is filled and emptied in turns.
//
//     acre::fast_queue<edge> found(acre::world(), acre::hosted_by{0}, 1'000'000);
//     found.push(mine);                            // a phase in which ranks push
//     acre::barrier();
//     while (auto each = found.pop()) use(*each);  // and one in which they pop
//
// Any ranks and threads push at once, or pop at once, but not both: a collective
// of the team (or of the world) stands between. So a push is one atomic and one
// write, a pop one atomic and one read. Builds with ACRE_CHECKS throw an
// acre::error when both happen in one phase. Values are popped in the order in
// which pushes reserved their places; "full" and "empty" are exact.
//
// Costs to memory of this node:
//
//     push    A + W    with `local`, on the host while nobody else uses the queue:  l
//     pop     A + R                                                                 l
//
// and A more when the queue seemed full or empty. To another node each operation
// is one round trip, 2 M; spans that no message carries go through memory at the
// host: a push 6 M + W, a pop 3 M + R.
//
// Making, resizing, migrating, clearing and destroying are collective. How it
// works: detail/queue_ends.hpp and detail/fast_ring.hpp.
#pragma once

#include <acre/base/site.hpp>
#include <acre/container/queue/detail/fast_ring.hpp>
#include <acre/container/queue/detail/queue_operations.hpp>

#include <cstdint>

namespace acre {

/// Pushing, popping, and what is there: detail/queue_operations.hpp. Nobody waits for another.
/// @throws acre::error in builds with ACRE_CHECKS when there are pushes and pops in one phase
/// Moves: local. Destruction: collective, B; queues may be destroyed in any order.
/// @tparam T  trivially copyable, or serialisable; of any size
template <storable T>
class fast_queue : public container::queue_operations<T, container::fast_ring<stored_t<T>>,
                                                      only_guarantee<container_operation::push>,
                                                      only_guarantee<container_operation::pop>> {
  using operations = container::queue_operations<T, container::fast_ring<stored_t<T>>,
                                                 only_guarantee<container_operation::push>,
                                                 only_guarantee<container_operation::pop>>;

 public:
  /// No queue: good for being assigned to.
  fast_queue() = default;

  /// An empty queue for up to `capacity` values, in the memory of a member of the team.
  /// Collective. Cost: B and 1 allgather. Memory of the host: the values, their number
  /// rounded up to a power of two; it is not touched before it is used.
  /// With `before`: as if these numbers of values had been pushed and popped, equally many.
  /// With a capacity of 0 it is full and empty at once: pushes and pops say so.
  /// @throws acre::error on all members when the host is no member or has no room, or they ask for
  ///         different hosts or capacities
  fast_queue(const team& members, hosted_by host, std::uint64_t capacity, queue_totals before = {},
             const site& where = site::current())
      : operations(members, host, capacity, before, where) {}
};

}  // namespace acre
