// SPDX-License-Identifier: BSD-3-Clause
// Queue of stored forms: operations work on the ring if the host's memory is mapped, else at the
// host (global/owner/at_owner.hpp). Places are reserved only with all values at hand, so no rank
// holds them while it waits for the network. Space for a span larger than a message is checked
// before it is sent.
#pragma once

#include <acre/base/bits.hpp>
#include <acre/base/site.hpp>
#include <acre/container/guarantee.hpp>
#include <acre/container/queue/detail/queue_host.hpp>
#include <acre/container/queue/detail/queue_rebuild.hpp>
#include <acre/container/queue/detail/queue_ring.hpp>
#include <acre/container/queue/detail/queue_service.hpp>
#include <acre/container/read_way.hpp>
#include <acre/global/owner/at_owner.hpp>
#include <acre/global/team/hosted_memory.hpp>
#include <acre/global/team/stored.hpp>
#include <acre/global/team/team.hpp>
#include <acre/global/team/team_object.hpp>
#include <acre/runtime/counters.hpp>
#include <acre/runtime/remote.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace acre::container {

template <class T, class Ring>
class stored_queue : public team_object<hosted_memory> {
 public:
  [[nodiscard]] rank_t host() const noexcept { return host_; }
  [[nodiscard]] std::uint64_t capacity() const noexcept { return capacity_; }

  [[nodiscard]] queue_totals totals(const site& where) const {
    if (std::byte* block = direct_block()) [[likely]] {
      std::uint64_t atomics = 0;
      const queue_totals totals = ring(block, capacity_).ends().totals(atomics);
      runtime::count(runtime::direct_costs{.atomics = atomics});
      return totals;
    }
    const at_owner::answered told =
        ask_host<totals_service>(0, portion::all, {}, ring::calls.totals, where);
    return deserialize<queue_totals>(told.bytes);
  }

 protected:
  using ring = Ring;
  using V = stored_t<T>;

  stored_queue(const team& members, hosted_by host, std::uint64_t capacity, const site& where)
      : team_object(members,
                    queue_memory<T, ring>(members, host, capacity, 0, ring::calls.name, where),
                    ring::calls.ending, where),
        host_(host.member),
        capacity_(capacity) {}
  ~stored_queue() = default;

  [[nodiscard]] std::byte* direct_block() const noexcept {
    return runtime::direct_address(memory().bits());
  }
  [[nodiscard]] ring own_ring() const noexcept { return ring(memory().mine(), capacity_); }
  void require_host(const char* call) const {
    if (members().rank() != host_) [[unlikely]] {
      throw_not_host(call, host_);
    }
  }

  template <class Guarantee>
  std::size_t push_stored(std::span<const V> values, portion how, Guarantee guarantee,
                          const site& where) {
    if (values.empty()) return 0;
    if constexpr (is_local<Guarantee>) require_host(ring::calls.push);
    const auto* bytes = reinterpret_cast<const std::byte*>(values.data());
    const phase_entry entry = entry_if_checked(members(), container_operation::push, guarantee);
    if (std::byte* block = direct_block()) [[likely]] {
      const ring there(block, capacity_);
      note_if_checked(there.record(), ring::calls.push, entry);
      if constexpr (is_local<Guarantee>) {
        const queue_places places = there.ends().claim_push(values.size(), how, capacity_);
        there.fill(places, bytes);
        return places.count;
      }
      std::uint64_t atomics = 0;
      const queue_places places = there.ends().reserve_push(values.size(), how, capacity_, atomics);
      there.fill(places, bytes);
      runtime::count(runtime::counted::direct_atomic, atomics);
      runtime::count(runtime::counted::direct_put, places.count);
      runtime::count(runtime::counted::direct_put_bytes, places.count * sizeof(V));
      return places.count;
    }
    if (how == portion::some) {
      values = values.first(smaller<std::uint64_t>(values.size(), capacity_));
    }
    if (values.size_bytes() > runtime::max_payload()) {
      const at_owner::answered room =
          ask_host<room_service>(values.size(), how, {}, ring::calls.push, where, entry);
      values = values.first(room.code);
      if (values.empty()) return 0;
    }
    return ask_host<push_service>(values.size(), how, std::as_bytes(values), ring::calls.push,
                                  where, entry)
        .code;
  }

  template <class Guarantee>
  std::size_t pop_stored(std::byte* values, std::size_t wanted, portion how, Guarantee guarantee,
                         const site& where) {
    if (wanted == 0) return 0;
    if constexpr (is_local<Guarantee>) require_host(ring::calls.pop);
    const phase_entry entry = entry_if_checked(members(), container_operation::pop, guarantee);
    if (std::byte* block = direct_block()) [[likely]] {
      const ring there(block, capacity_);
      note_if_checked(there.record(), ring::calls.pop, entry);
      if constexpr (is_local<Guarantee>) {
        const queue_places places = there.ends().claim_pop(wanted, how);
        there.empty(places, values);
        return places.count;
      }
      std::uint64_t atomics = 0;
      const queue_places places = there.ends().reserve_pop(wanted, how, capacity_, atomics);
      there.empty(places, values);
      runtime::count(runtime::counted::direct_atomic, atomics);
      runtime::count(runtime::counted::direct_get, places.count);
      runtime::count(runtime::counted::direct_get_bytes, places.count * sizeof(V));
      return places.count;
    }
    if (how == portion::all && wanted > capacity_) return 0;
    const at_owner::answered popped = ask_host<pop_service>(
        smaller<std::uint64_t>(wanted, capacity_), how, {}, ring::calls.pop, where, entry);
    if (popped.code != 0) std::memcpy(values, popped.bytes.data(), popped.bytes.size());
    return popped.code;
  }

  [[nodiscard]] bool peek_stored(std::byte* value, const site& where) const {
    if (std::byte* block = direct_block()) [[likely]] {
      std::uint64_t atomics = 0;
      const bool found = ring(block, capacity_).peek(value, atomics);
      runtime::count(
          runtime::direct_costs{.reads = found ? std::uint64_t{1} : 0, .atomics = atomics});
      if (found) runtime::count(runtime::counted::direct_get_bytes, sizeof(V));
      return found;
    }
    const at_owner::answered seen =
        ask_host<peek_service>(1, portion::all, {}, ring::calls.peek, where);
    if (seen.code != 0) std::memcpy(value, seen.bytes.data(), sizeof(V));
    return seen.code != 0;
  }

  [[nodiscard]] settled_places settled_places_now(phase_entry entry, const site& where) const {
    if (std::byte* block = direct_block()) {
      const ring there(block, capacity_);
      note_if_checked(there.record(), ring::calls.settled, entry);
      runtime::count(runtime::counted::direct_get);
      return there.settled();
    }
    if (entry.bits() == 0 && reads_by_get(sizeof(queue_head))) {
      alignas(queue_head) std::byte copy[sizeof(queue_head)];
      runtime::get_remote_value(memory().bits(), copy, sizeof(copy));
      return ring::settled_in(copy);
    }
    const at_owner::answered told =
        ask_host<settled_service>(0, portion::all, {}, ring::calls.settled, where, entry);
    return deserialize<settled_places>(told.bytes);
  }

  template <template <class, class> class Service>
  at_owner::answered ask_host(std::uint64_t count, portion how, std::span<const std::byte> payload,
                              const char* call, const site& where,
                              phase_entry entry = phase_entry(0)) const {
    const queue_words words{memory().bits() & offset_mask, capacity_, entry.bits(), count,
                            static_cast<fabric::word>(how)};
    return at_owner::ask<Service<T, Ring>>(members().world_rank(host_), words, payload, call,
                                           where);
  }

  rank_t host_;
  std::uint64_t capacity_;
};

}  // namespace acre::container
