// SPDX-License-Identifier: BSD-3-Clause
// Queue of values: conversions to and from stored forms, and collective operations.
#pragma once

#include <acre/base/bits.hpp>
#include <acre/base/site.hpp>
#include <acre/container/guarantee.hpp>
#include <acre/container/queue/detail/queue_host.hpp>
#include <acre/container/queue/detail/queue_rebuild.hpp>
#include <acre/container/queue/detail/queue_service.hpp>
#include <acre/container/queue/detail/stored_queue.hpp>
#include <acre/container/queue/detail/stored_values.hpp>
#include <acre/container/queue/settled_values.hpp>
#include <acre/global/owner/at_owner.hpp>
#include <acre/global/team/hosted_memory.hpp>
#include <acre/global/team/same_call.hpp>
#include <acre/global/team/stored.hpp>
#include <acre/global/team/team.hpp>
#include <acre/runtime/lost_failure.hpp>
#include <acre/runtime/wait.hpp>

#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace acre::container {

template <class T, class Ring>
class hosted_queue : public stored_queue<T, Ring> {
  using parent = stored_queue<T, Ring>;
  using parent::direct_block, parent::own_ring;
  using parent::host_, parent::capacity_, parent::memory;
  using typename parent::ring, typename parent::V;
  using form = stored_form<T>;

 public:
  using parent::members;

  hosted_queue(const team& of, hosted_by host, std::uint64_t capacity, queue_totals totals,
               const site& where)
      : parent(of, host, capacity, where) {
    const runtime::failures_held until_all_is_done;
    if (of.rank() == host_) own_ring().prepare(totals);
    of.barrier(where);
  }
  ~hosted_queue() {
    if (this->release() && memory().mine() != nullptr) release_all<T>(own_ring());
  }

  template <class Guarantee>
  std::size_t push(std::span<const T> values, portion how, Guarantee guarantee, const site& where) {
    return push_by(values, [&](const auto& source) { return source(how, guarantee, where); });
  }

  void push_wait(std::span<const T> values, const site& where) {
    require_fit(values.size(), ring::calls.push_wait);
    if (values.empty()) return;
    push_by(values, [&](const auto& source) {
      wait_for([&] { return source(portion::all, no_guarantee{}, where) != 0; },
               ring::calls.push_wait, where);
      return values.size();
    });
  }

  template <class Guarantee>
  std::size_t pop(std::span<T> values, portion how, Guarantee guarantee, const site& where) {
    if constexpr (storage_of<T> == storage::direct) {
      return parent::pop_stored(reinterpret_cast<std::byte*>(values.data()), values.size(), how,
                                guarantee, where);
    } else {
      std::size_t count = 0;
      const auto take = [&](T&& value) { values[count++] = std::move(value); };
      pop_each(values.size(), how, guarantee, take, where);
      return count;
    }
  }
  template <class Guarantee>
  std::optional<T> pop_one(Guarantee guarantee, const site& where) {
    if constexpr (storage_of<T> == storage::direct) {
      alignas(T) std::byte bytes[sizeof(T)];
      if (parent::pop_stored(bytes, 1, portion::all, guarantee, where) == 0) return std::nullopt;
      return *std::launder(reinterpret_cast<T*>(bytes));
    } else {
      std::optional<T> result;
      pop_each(
          1, portion::all, guarantee, [&](T&& value) { result.emplace(std::move(value)); }, where);
      return result;
    }
  }

  void pop_wait(std::span<T> values, const site& where) {
    require_fit(values.size(), ring::calls.pop_wait);
    if (values.empty()) return;
    wait_for([&] { return pop(values, portion::all, no_guarantee{}, where) != 0; },
             ring::calls.pop_wait, where);
  }
  [[nodiscard]] T pop_one_wait(const site& where) {
    std::optional<T> result;
    wait_for(
        [&] {
          result = pop_one(no_guarantee{}, where);
          return result.has_value();
        },
        ring::calls.pop_wait, where);
    return *std::move(result);
  }

  [[nodiscard]] std::optional<T> peek(const site& where) const {
    alignas(V) std::byte value[sizeof(V)];
    if (!parent::peek_stored(value, where)) return std::nullopt;
    return form::load(global::load_bytes<V>(value));
  }

  template <class F>
  void for_each(F&& f, const site&) const {
    this->require_host(ring::calls.for_each_local);
    const ring mine = own_ring();
    const std::uint64_t end = mine.ends().pushed();
    for (std::uint64_t place = mine.ends().popped(); place != end; ++place) {
      const V stored = global::load_bytes<V>(mine.at(place));
      f(form::load(form::copy(stored)));
    }
  }

  [[nodiscard]] settled_values<T> settled(phase_entry entry, const site& where) const {
    const settled_places held = this->settled_places_now(entry, where);
    const std::uint64_t mask = queue_slots(capacity_) - 1;
    return settled_values<T>({.first_bits = memory().bits() + ring::slot_offset(0),
                              .mask = mask,
                              .start = (held.totals.popped - held.origin) & mask,
                              .size = held.totals.size(),
                              .slot_bytes = ring::slot_bytes,
                              .value_offset = ring::value_offset});
  }

  /// The ring, on the host, while no other rank uses it.
  [[nodiscard]] ring ring_alone() const {
    this->require_host(ring::calls.local);
    note_if_checked(own_ring().record(), ring::calls.local,
                    entry_if_checked(members(), container_operation::update, local_guarantee{}));
    return own_ring();
  }

  void clear(const site& where) {
    const runtime::failures_held until_all_is_done;
    global::require_same_object(members(), ring::calls.name, memory().identity(), where);
    members().barrier(where);
    if (members().rank() == host_) {
      release_all<T>(own_ring());
      own_ring().drop();
    }
    members().barrier(where);
  }

  void resize(std::uint64_t capacity, const site& where) {
    rebuild(host_, capacity, ring::calls.resize, where);
  }
  void migrate(hosted_by host, const site& where) {
    rebuild(host.member, capacity_, ring::calls.migrate, where);
  }

 private:
  void rebuild(rank_t host, std::uint64_t capacity, const char* call, const site& where) {
    const old_queue<ring> old{members(),           host_,          capacity_, memory().bits(),
                              memory().identity(), memory().mine()};
    memory() = rebuilt_queue<T>(old, host, capacity, call, where);
    host_ = host;
    capacity_ = capacity;
  }

  void require_fit(std::size_t values, const char* call) const {
    if (values > capacity_) throw_never_fits(call, values, capacity_);
  }

  template <class Attempt>
  void wait_for(Attempt&& attempt, const char* what, const site& where) const {
    if (direct_block() != nullptr) {
      runtime::wait_until(attempt, what, runtime::may_run::user_code, where);
    } else {
      retry_with_pauses(attempt, what, where);
    }
  }

  template <class Use>
  std::size_t push_by(std::span<const T> values, Use&& use) {
    const auto push_forms = [&](std::span<const V> forms) {
      return use([&, forms](portion how, auto guarantee, const site& where) {
        return this->push_stored(forms, how, guarantee, where);
      });
    };
    if constexpr (storage_of<T> == storage::direct) {
      return push_forms(values);
    } else {
      if constexpr (is_separate<T>) {
        if (direct_block() == nullptr) return push_records(values, use);
      }
      stored_values<T> forms(values);
      const std::size_t pushed = push_forms(forms.get());
      forms.give_away(pushed);
      return pushed;
    }
  }

  template <class Guarantee, class Take>
  void pop_each(std::size_t wanted, portion how, Guarantee guarantee, Take&& take,
                const site& where) {
    if constexpr (is_separate<T>) {
      if (direct_block() == nullptr) return pop_records(wanted, how, guarantee, take, where);
    }
    if (how == portion::all && wanted > capacity_) return;
    popped_values<T> forms(smaller<std::uint64_t>(wanted, capacity_));
    forms.set_count(parent::pop_stored(forms.bytes(), forms.room(), how, guarantee, where));
    while (!forms.empty()) take(forms.take_front());
  }

  // --- separate values of another node -----------------------------------------------------
  //
  // If a value exceeds a message, each value of the push first gets a block at the host.

  template <class Use>
  std::size_t push_records(std::span<const T> values, Use&& use) {
    const std::size_t wanted = values.size();
    values = values.first(smaller<std::uint64_t>(wanted, capacity_));
    std::vector<std::byte> records;
    for (const T& each : values) {
      const std::size_t begin = records.size();
      records.resize(begin + record_bytes(serialized_size(each)));
      write_record(records.data() + begin, serialize(each));
    }
    return use([&](portion how, auto guarantee, const site& where) -> std::size_t {
      if constexpr (is_local<decltype(guarantee)>) this->require_host(ring::calls.push);
      if (values.empty() || (how == portion::all && wanted > capacity_)) return 0;
      const phase_entry entry = entry_if_checked(members(), container_operation::push, guarantee);
      std::uint64_t count = values.size();
      if (records.size() > runtime::max_payload()) {
        count =
            parent::template ask_host<room_service>(count, how, {}, ring::calls.push, where, entry)
                .code;
        if (count == 0) return 0;
      }
      std::size_t bytes = 0;
      std::size_t longest = 0;
      for_each_record(records, count, [&](std::span<const std::byte> each) {
        bytes += record_bytes(each.size());
        longest = larger(longest, record_bytes(each.size()));
      });
      if (longest > runtime::max_payload()) {
        return push_blocks(records, count, how, guarantee, where);
      }
      return parent::template ask_host<push_records_service>(
                 count, how, std::span(records).first(bytes), ring::calls.push, where, entry)
          .code;
    });
  }

  template <class Guarantee>
  std::size_t push_blocks(std::span<const std::byte> records, std::uint64_t count, portion how,
                          Guarantee guarantee, const site& where) {
    std::vector<at_owner::stage> blocks;
    std::vector<V> forms;
    for_each_record(records, count, [&](std::span<const std::byte> bytes) {
      blocks.push_back(at_owner::stage_payload({.owner = members().world_rank(host_),
                                                .runner = at_owner::run_by::anyone,
                                                .service = {},
                                                .words = {},
                                                .payload = bytes,
                                                .call = ring::calls.push}));
      forms.push_back({.where = blocks.back().bits(), .bytes = bytes.size()});
    });
    const std::size_t pushed = this->push_stored(std::span<const V>(forms), how, guarantee, where);
    for (std::size_t i = 0; i < pushed; ++i) blocks[i].give_away();
    return pushed;
  }

  /// An exception of `take` or deserialization loses the remaining values.
  template <class Guarantee, class Take>
  void pop_records(std::size_t wanted, portion how, Guarantee guarantee, Take&& take,
                   const site& where) {
    if (wanted == 0 || (how == portion::all && wanted > capacity_)) return;
    if constexpr (is_local<Guarantee>) this->require_host(ring::calls.pop);
    const at_owner::answered popped = parent::template ask_host<pop_records_service>(
        smaller<std::uint64_t>(wanted, capacity_), how, {}, ring::calls.pop, where,
        entry_if_checked(members(), container_operation::pop, guarantee));
    const std::uint64_t count = popped.code >> 1;
    if ((popped.code & 1) != 0) {
      for_each_record(popped.bytes, count, [&](std::span<const std::byte> bytes) {
        const copied_bytes aligned(bytes);
        take(deserialize<T>(aligned.bytes()));
      });
      return;
    }
    std::vector<at_owner::stage> blocks(count);
    for (std::uint64_t i = 0; i < count; ++i) {
      const V each = global::load_bytes<V>(popped.bytes.data() + i * sizeof(V));
      blocks[i] = {each.where, each.bytes};
    }
    blocks_under_way reading(ring::calls.pop);
    const auto use = [&](std::span<const std::byte> bytes) { take(deserialize<T>(bytes)); };
    for (const at_owner::stage& each : blocks) reading.add(each.bits(), each.bytes(), use);
    reading.finish(use);
  }
};

}  // namespace acre::container
