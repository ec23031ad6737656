// SPDX-License-Identifier: BSD-3-Clause
// Queue in the memory of one rank, filled and emptied in separate phases.
//
//     acre::fast_queue<edge> found(acre::world(), acre::hosted_by{0}, 1'000'000);
//     found.push(mine);
//     acre::barrier();
//     while (auto each = found.pop()) use(*each);
//
// Within a phase ranks only push, or only pop, concurrently; a collective of the team or of all
// ranks separates phases. Pops follow the order of reservations; "full" and "empty" are exact.
//
// Cost on the host's node, and A more if the queue seems full or empty:
//
//     push    A + W    with `local`, on the host without concurrent use:  l
//     pop     A + R                                                       l
//
// Other nodes: as circular_queue.hpp.
#pragma once

#include <acre/base/site.hpp>
#include <acre/container/queue/detail/fast_ring.hpp>
#include <acre/container/queue/detail/queue_operations.hpp>

#include <cstdint>
#include <new>
#include <span>

namespace acre {

/// Destruction: collective, B; queues in the same order on all members.
/// @throws acre::error with ACRE_CHECKS if a phase has pushes and pops
/// @tparam T trivially copyable or serialisable
template <storable T>
class fast_queue : public container::queue_operations<T, container::fast_ring<stored_t<T>>,
                                                      only_guarantee<container_operation::push>,
                                                      only_guarantee<container_operation::pop>> {
  using operations = container::queue_operations<T, container::fast_ring<stored_t<T>>,
                                                 only_guarantee<container_operation::push>,
                                                 only_guarantee<container_operation::pop>>;

 public:
  fast_queue() = default;

  /// Creates an empty queue on a member. Collective. Cost: B + 1 allgather; does not touch its
  /// `capacity` slots, rounded up to a power of two.
  /// @param capacity  0: always full and empty
  /// @param before  initial totals, equal to each other
  /// @throws acre::error on all members if the host is no member or out of memory, or arguments
  /// differ
  fast_queue(const team& members, hosted_by host, std::uint64_t capacity, queue_totals before = {},
             const site& where = site::current())
      : operations(members, host, capacity, before, where) {}

  /// The values in place, oldest first, on the host, while no other rank uses the queue. Valid
  /// until its next operation. l; if the values wrap around, they move: l for each, or for each
  /// slot if over half of the slots are full.
  /// @throws acre::error on other ranks
  [[nodiscard]] std::span<T> local()
    requires(storage_of<T> == storage::direct)
  {
    const auto ring = this->get("local").ring_alone();
    auto* const first = std::launder(reinterpret_cast<T*>(ring.make_contiguous()));
    return {first, ring.ends().pushed() - ring.ends().popped()};
  }
};

}  // namespace acre
