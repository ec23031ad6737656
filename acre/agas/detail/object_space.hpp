// SPDX-License-Identifier: BSD-3-Clause
// A rank's objects, directory, forwarding notes and hints. Thread-safe by one lock, never held
// during user code or sends.
#pragma once

#include <acre/agas/detail/agas_counters.hpp>
#include <acre/agas/detail/gid_table.hpp>
#include <acre/agas/detail/hosted_object.hpp>
#include <acre/agas/gid.hpp>
#include <acre/base/spin_lock.hpp>

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace acre::agas {

struct directory_entry {
  place at;
  std::uint32_t settled = 0;
  std::uint64_t issued = 0;
  std::uint32_t generation = 0;
  std::uint32_t next_free = 0;
  hosted_object* here = nullptr;
};

/// This rank's calls to one object.
struct own_stream {
  std::uint32_t stream = 0;
  std::uint32_t next = 0;
  bool is_closing = false;
};

class object_space {
 public:
  static constexpr std::uint32_t no_slot = ~std::uint32_t{0};
  static constexpr std::uint32_t in_collection = no_slot - 1;

  spin_lock lock;

  [[nodiscard]] directory_entry* entry_of(const gid& name) noexcept {
    if (name.home() != rank() || name.slot() >= directory.size()) return nullptr;
    directory_entry& entry = directory[name.slot()];
    return entry.generation == name.generation() ? &entry : nullptr;
  }
  [[nodiscard]] hosted_object* find(const gid& name) noexcept {
    if (name.home() == rank()) {
      const directory_entry* const entry = entry_of(name);
      return entry == nullptr ? nullptr : entry->here;
    }
    hosted_object** const guest = guests.find(name);
    return guest == nullptr ? nullptr : *guest;
  }
  [[nodiscard]] bool hosts(const gid& name) noexcept {
    if (name.home() != rank()) return guests.find(name) != nullptr;
    const directory_entry* const entry = entry_of(name);
    return entry != nullptr && entry->here != nullptr;
  }
  void host(hosted_object& object) {
    directory_entry* const entry = entry_of(object.name);
    if (entry == nullptr) {
      guests[object.name] = &object;
      return;
    }
    entry->here = &object;
    entry->at = {.owner = rank(), .epoch = object.epoch};
    entry->settled = object.epoch;
  }
  void begin(hosted_object& object, running_call& call) noexcept {
    call.next_here = std::exchange(object.running, &call);
    call.before = nullptr;
    call.next = std::exchange(running, &call);
    if (call.next != nullptr) call.next->before = &call;
  }
  void replace(hosted_object& object, running_call& by) noexcept {
    for (running_call** link = &object.running; *link != nullptr; link = &(*link)->next_here) {
      if ((*link)->tag.call != by.tag.call) continue;
      running_call& gone = **link;
      by.next_here = gone.next_here;
      by.next = gone.next;
      by.before = gone.before;
      *link = &by;
      if (by.next != nullptr) by.next->before = &by;
      (by.before == nullptr ? running : by.before->next) = &by;
      return;
    }
  }
  void end(hosted_object& object, running_call& call) noexcept {
    for (running_call** link = &object.running; *link != nullptr; link = &(*link)->next_here) {
      if (*link != &call) continue;
      *link = call.next_here;
      forget(call);
      return;
    }
  }
  void forget(running_call& call) noexcept {
    if (call.next != nullptr) call.next->before = call.before;
    (call.before == nullptr ? running : call.before->next) = call.next;
  }
  [[nodiscard]] runtime::call_tag new_tag(std::uint64_t family) noexcept {
    constexpr unsigned bits = 28;
    const std::uint64_t number = ++last_call;
    if (family == 0) {
      const std::uint64_t first = std::uint64_t{rank()} + 1;
      family = (first << bits | (number & ((std::uint64_t{1} << bits) - 1))) &
               ((std::uint64_t{1} << 48) - 1);
    }
    return {.call = (std::uint64_t{rank()} + 1) << 40 | number, .family = family};
  }

  void let_go(hosted_object& object) noexcept {
    if (directory_entry* const entry = entry_of(object.name)) {
      entry->here = nullptr;
    } else {
      guests.erase(object.name);
    }
  }

  void prefetch(const gid& name) const noexcept {
    guests.prefetch(name);
    hints.prefetch(name);
    streams.prefetch(name);
  }

  [[nodiscard]] std::uint32_t take_slot() {
    if (free_slots == no_slot) {
      directory.emplace_back();
      return static_cast<std::uint32_t>(directory.size() - 1);
    }
    return std::exchange(free_slots, directory[free_slots].next_free);
  }
  void free_slot(const gid& name) noexcept {
    const agas_timer timed(agas_counted::unbind, agas_timed::unbind);
    const std::uint32_t slot = name.slot();
    streams.erase(name);
    directory_entry& entry = directory[slot];
    ++entry.generation;
    if (entry.next_free != in_collection) entry.next_free = std::exchange(free_slots, slot);
  }

  template <bool IsTimed>
  [[nodiscard]] place guess(const gid& name) noexcept {
    constexpr agas_counted asked = agas_counted::resolve_here;
    if (const place* const went = departed.find(name)) return count_after(asked, 1), *went;
    if (const directory_entry* const entry = entry_of(name))
      return count_after(asked, 2), entry->at;
    const place* const hint = IsTimed ? time_find_hint(name) : hints.find(name);
    if (hint != nullptr) return count_after(asked, 3), *hint;
    count_after(asked, 4);
    return {.owner = name.home(), .epoch = 0};
  }
  /// Next place of a call that a sender addressed to the place of `epoch`, here. Places have
  /// increasing epochs, hence no cycles.
  /// @return no value at home, if the call has overtaken its object (the home then keeps the call),
  /// or the object is unknown
  [[nodiscard]] std::optional<place> way_on(const gid& name, std::uint32_t epoch) noexcept {
    const place* const went = departed.find(name);
    if (went != nullptr && went->epoch > epoch) return count_after(agas_counted::route, 1), *went;
    if (name.home() == rank()) {
      const directory_entry* const entry = entry_of(name);
      if (entry == nullptr || (entry->at.epoch <= epoch && entry->settled < epoch)) return {};
      return count_after(agas_counted::route, 2), entry->at;
    }
    const place* const hint = time_find_hint(name);
    if (hint != nullptr && hint->epoch > epoch) return count_after(agas_counted::route, 3), *hint;
    count_after(agas_counted::route, 4);
    return place{.owner = name.home(), .epoch = epoch};
  }
  [[nodiscard]] parcel_queue pop_kept(const gid& name) noexcept {
    parcel_queue* const queue = kept.find(name);
    if (queue == nullptr) return {};
    parcel_queue taken = std::move(*queue);
    kept.erase(name);
    return taken;
  }
  void learn(const gid& name, const place& hint) {
    if (name.home() == rank() || hint.owner == rank()) return;
    agas_timer timed(agas_timed::cache_update);
    const std::size_t before = hints.size();
    place& known = hints[name];
    const bool is_new = hints.size() != before;
    if (is_new) timed.is(agas_timed::cache_insert);
    count(is_new ? agas_counted::cache_insert : agas_counted::cache_update);
    if (hint.epoch >= known.epoch) known = hint;
    while (hints.size() > most_entries) forget_a_hint();
  }
  void forget_hint_of(const gid& name) noexcept {
    const agas_timer timed(agas_timed::cache_erase);
    if (hints.erase(name)) count(agas_counted::cache_erase);
  }
  /// Stream that should be closed, as there are too many; or null.
  [[nodiscard]] gid stream_to_close() noexcept {
    if (streams.size() <= most_entries) return {};
    auto& [name, own] = streams.next_entry(stream_hand_);
    return std::exchange(own.is_closing, true) ? gid() : name;
  }
  void clear() noexcept {
    const auto end_with_job = [](hosted_object* object) {
      const object_owner gone(object);
      while (object->pinned_by != nullptr) {
        std::exchange(object->pinned_by, object->pinned_by->next)->object = nullptr;
      }
    };
    for (directory_entry& each : directory) {
      if (each.here != nullptr) end_with_job(std::exchange(each.here, nullptr));
    }
    guests.for_each([&](const gid&, hosted_object*& each) { end_with_job(each); });
    directory.clear();
    free_slots = no_slot;
    guests = {};
    departed = {};
    kept = {};
    hints = {};
    streams = {};
    last_stream = 0;
    running = nullptr;
    watched.clear();
  }

  std::vector<directory_entry> directory;
  std::uint32_t free_slots = no_slot;
  gid_table<hosted_object*> guests;
  gid_table<place> departed;
  gid_table<parcel_queue> kept;
  gid_table<place> hints;
  gid_table<own_stream> streams;
  std::uint32_t last_stream = 0;
  std::uint64_t last_call = 0;
  running_call* running = nullptr;
  std::vector<gid> watched;
  std::size_t most_entries = std::size_t{1} << 16;

 private:
  [[nodiscard]] const place* time_find_hint(const gid& name) noexcept {
    const agas_timer timed(agas_timed::cache_get);
    return hints.find(name);
  }
  void forget_a_hint() noexcept {
    count(agas_counted::cache_evict);
    hints.erase(hints.next_entry(hand_).name);
  }

  std::size_t hand_ = 0;
  std::size_t stream_hand_ = 0;
};

/// Never destroyed: a process may exit without ending its job.
union lasting_object_space {
  object_space value;
  constexpr lasting_object_space() noexcept : value() {}
  ~lasting_object_space() {}
};
extern constinit lasting_object_space this_ranks_objects;

[[nodiscard]] inline object_space& space() noexcept { return this_ranks_objects.value; }

using held_lock = std::unique_lock<spin_lock>;

}  // namespace acre::agas
