// SPDX-License-Identifier: BSD-3-Clause
// Copies a queue to a new ring, without concurrent use.
#pragma once

#include <acre/base/bits.hpp>
#include <acre/base/site.hpp>
#include <acre/container/queue/detail/queue_ends.hpp>
#include <acre/container/queue/detail/queue_head.hpp>
#include <acre/container/queue/detail/queue_host.hpp>
#include <acre/container/queue/detail/stored_values.hpp>
#include <acre/global/team/hosted_memory.hpp>
#include <acre/global/team/stored.hpp>
#include <acre/global/team/team.hpp>
#include <acre/runtime/lost_failure.hpp>
#include <acre/runtime/remote.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <typeinfo>
#include <utility>
#include <vector>

namespace acre::container {

/// Collective.
/// @param before  identity of the replaced memory, or 0
template <class T, class Ring>
[[nodiscard]] hosted_memory queue_memory(const team& members, hosted_by host,
                                         std::uint64_t capacity, std::uint64_t before,
                                         const char* call, const site& where) {
  return {members,
          host,
          Ring::block_bytes(capacity),
          Ring::block_alignment,
          call,
          {.number = capacity, .unit = "values", .shape = before, .type = &typeid(T)},
          where};
}

template <class T, class Ring>
void release_all(const Ring& of) noexcept {
  if constexpr (is_separate<T>) {
    const std::uint64_t end = of.ends().pushed();
    for (std::uint64_t place = of.ends().popped(); place != end; ++place) {
      stored_form<T>::release(global::load_bytes<stored_t<T>>(of.at(place)));
    }
  }
}

template <class Ring>
struct old_queue {
  const team& members;
  rank_t host;
  std::uint64_t capacity;
  std::uint64_t bits;
  std::uint64_t identity;
  std::byte* mine;

  [[nodiscard]] Ring ring() const noexcept { return Ring(mine, capacity); }
};

/// Calls f(place, value) for each value. R for each 64 KiB on another node.
template <class Ring, class F>
void for_each_value(const old_queue<Ring>& old, const settled_places& held, F&& f) {
  const queue_totals& totals = held.totals;
  if (std::byte* block = runtime::direct_address(old.bits)) {
    const Ring here(block, old.capacity);
    for (std::uint64_t place = totals.popped; place != totals.pushed; ++place) {
      f(place, here.at(place));
    }
    return;
  }
  constexpr std::uint64_t piece_bytes = std::uint64_t{1} << 16;
  constexpr std::uint64_t most = larger<std::uint64_t>(piece_bytes / Ring::slot_bytes, 1);
  std::vector<std::byte> slots(most * Ring::slot_bytes);
  for (std::uint64_t place = totals.popped; place != totals.pushed;) {
    const std::uint64_t index = (place - held.origin) & (queue_slots(old.capacity) - 1);
    const std::uint64_t count =
        smaller(smaller(most, totals.pushed - place), queue_slots(old.capacity) - index);
    runtime::get_remote_value(old.bits + Ring::slot_offset(index), slots.data(),
                              count * Ring::slot_bytes);
    for (std::uint64_t i = 0; i < count; ++i, ++place) {
      f(place, slots.data() + i * Ring::slot_bytes + Ring::value_offset);
    }
  }
}

/// Copies the old ring's values to the same places of `fresh`; called on the new host.
/// @param with_blocks  separate values get blocks of this rank
/// @throws acre::error if out of memory
template <class T, class Ring>
void copy_values(const old_queue<Ring>& old, Ring fresh, const settled_places& held,
                 [[maybe_unused]] bool with_blocks) {
  using V = stored_t<T>;
  const queue_totals& totals = held.totals;
  fresh.prepare(totals);
  if constexpr (is_separate<T>) {
    if (with_blocks) {
      stored_blocks<T> forms;
      blocks_under_way reading(Ring::calls.migrate);
      const auto keep = [&](std::span<const std::byte> bytes) { forms.add(bytes); };
      for_each_value(old, held, [&](std::uint64_t, const std::byte* value) {
        const V form = global::load_bytes<V>(value);
        reading.add(form.where, form.bytes, keep);
      });
      reading.finish(keep);
      for (std::uint64_t i = 0; i < totals.size(); ++i) {
        fresh.set(totals.popped + i, forms.bytes() + i * sizeof(V));
      }
      forms.give_away(totals.size());
      return;
    }
  }
  for_each_value(old, held,
                 [&](std::uint64_t place, const std::byte* value) { fresh.set(place, value); });
}

/// Collective.
/// @throws acre::error on all members, without effect
template <class T, class Ring>
[[nodiscard]] hosted_memory rebuilt_queue(const old_queue<Ring>& old, rank_t host,
                                          std::uint64_t capacity, const char* call,
                                          const site& where) {
  const runtime::failures_held until_all_is_done;
  const team& members = old.members;
  members.barrier(where);
  settled_places held;
  if (members.rank() == old.host) held = old.ring().settled();
  held = members.broadcast(held, old.host, where);
  hosted_memory fresh = queue_memory<T, Ring>(members, {host}, capacity, old.identity, call, where);
  const std::uint64_t size = held.totals.size();
  if (size > capacity) throw_too_few_places(call, size, capacity);
  const bool changes_node = is_separate<T> && runtime::node_of(members.world_rank(host)) !=
                                                  runtime::node_of(members.world_rank(old.host));
  std::exception_ptr failure;
  if (members.rank() == host) {
    try {
      copy_values<T>(old, Ring(fresh.mine(), capacity), held, changes_node);
    } catch (...) {
      failure = std::current_exception();
    }
  }
  // After this the new host no longer reads the old ring.
  const bool has_failed = members.allreduce(failure != nullptr, op::logical_or, where);
  if (failure) std::rethrow_exception(failure);
  if (has_failed) throw_failed_migration(call);
  if (changes_node && members.rank() == old.host) release_all<T>(old.ring());
  return fresh;
}

}  // namespace acre::container
