// A queue with what surrounds its ring: whose memory it lies in, and how an
// operation gets there.
//
// Where the host's memory is mapped here, an operation works on the ring directly.
// Else it is one message to the host, where the same code runs in whatever thread
// finds it, and one back. A span that no message carries is first put into memory
// that the host allocates for it (or popped into such memory, and then read): places
// in the ring are reserved only when all values are at hand, so nobody ever waits
// for the network while he holds a place.
#pragma once

#include <acre/base/checks.hpp>
#include <acre/container/queue/detail/queue_host.hpp>
#include <acre/container/queue/detail/queue_ring.hpp>
#include <acre/container/queue/detail/stored_values.hpp>
#include <acre/global/collective_end.hpp>
#include <acre/global/guarantee.hpp>
#include <acre/global/hosted_memory.hpp>
#include <acre/global/put_get.hpp>
#include <acre/global/remote_call.hpp>
#include <acre/global/stored.hpp>
#include <acre/global/team.hpp>
#include <acre/runtime/counters.hpp>
#include <acre/runtime/lost_failure.hpp>
#include <acre/runtime/memory.hpp>
#include <acre/runtime/remote.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <new>
#include <optional>
#include <source_location>
#include <span>
#include <utility>
#include <vector>

namespace acre::detail {

/// @tparam Ring  queue_ring or fast_ring: how the values lie between the two ends
template <class T, class Ring>
class hosted_queue {
  using ring = Ring;
  using form = stored_form<T>;
  using V = stored_t<T>;
  using here = std::source_location;

 public:
  hosted_queue(const team& members, hosted_by host, std::uint64_t capacity, queue_totals totals)
      : members_(members), host_(host.member), capacity_(capacity) {
    const runtime::failures_held until_all_is_done;
    memory_ = allocate(host, capacity, ring::calls.name);
    if (members_.rank() == host_) own_ring().prepare(totals);
    members_.barrier();
  }
  ~hosted_queue() {
    if (end_.release(memory_, members_) && memory_.mine() != nullptr) release_all(own_ring());
  }
  hosted_queue(const hosted_queue&) = delete;
  hosted_queue& operator=(const hosted_queue&) = delete;

  [[nodiscard]] const team& members() const noexcept { return members_; }
  [[nodiscard]] rank_t host() const noexcept { return host_; }
  [[nodiscard]] std::uint64_t capacity() const noexcept { return capacity_; }

  // --- push and pop -------------------------------------------------------------------

  /// @return how many of the values were pushed
  template <class Guarantee>
  std::size_t push(std::span<const T> values, portion how, Guarantee guarantee, const here& where) {
    if constexpr (storage_of<T> == storage::direct) {
      return push_stored(values, how, guarantee, where);
    } else {
      if constexpr (is_separate<T>) {
        if (direct_block() == nullptr) return push_bytes(values, how, guarantee, where);
      }
      stored_values<T> forms(values);
      const std::size_t pushed = push_stored(forms.get(), how, guarantee, where);
      forms.give_away(pushed);
      return pushed;
    }
  }

  /// Fills the front of `values`. @return how many were popped
  template <class Guarantee>
  std::size_t pop(std::span<T> values, portion how, Guarantee guarantee, const here& where) {
    if constexpr (storage_of<T> == storage::direct) {
      return pop_stored(reinterpret_cast<std::byte*>(values.data()), values.size(), how, guarantee,
                        where);
    } else {
      std::size_t count = 0;
      const auto take = [&](T&& value) { values[count++] = std::move(value); };
      pop_each(values.size(), how, guarantee, take, where);
      return count;
    }
  }
  template <class Guarantee>
  std::optional<T> pop_one(Guarantee guarantee, const here& where) {
    std::optional<T> result;
    if constexpr (storage_of<T> == storage::direct) {
      alignas(T) std::byte bytes[sizeof(T)];
      if (pop_stored(bytes, 1, portion::all, guarantee, where) != 0) {
        result.emplace(*std::launder(reinterpret_cast<T*>(bytes)));
      }
    } else {
      const auto take = [&](T&& value) { result.emplace(std::move(value)); };
      pop_each(1, portion::all, guarantee, take, where);
    }
    return result;
  }

  void push_wait(std::span<const T> values, const here& where) {
    if (values.size() > capacity_) {
      throw_never_fits(ring::calls.push_wait, values.size(), capacity_);
    }
    if (values.empty()) return;
    if constexpr (storage_of<T> == storage::direct) {
      push_stored_wait(values, where);
    } else {
      if constexpr (is_separate<T>) {
        if (direct_block() == nullptr) {
          retry_with_pauses(
              [&] { return push_bytes(values, portion::all, no_guarantee{}, where) != 0; },
              ring::calls.push_wait, where);
          return;
        }
      }
      stored_values<T> forms(values);
      push_stored_wait(forms.get(), where);
      forms.give_away(values.size());
    }
  }
  void pop_wait(std::span<T> values, const here& where) {
    if (values.size() > capacity_) {
      throw_never_fits(ring::calls.pop_wait, values.size(), capacity_);
    }
    if (values.empty()) return;
    wait_for([&] { return pop(values, portion::all, no_guarantee{}, where) != 0; },
             ring::calls.pop_wait, where);
  }
  [[nodiscard]] T pop_one_wait(const here& where) {
    std::optional<T> result;
    wait_for(
        [&] {
          result = pop_one(no_guarantee{}, where);
          return result.has_value();
        },
        ring::calls.pop_wait, where);
    return *std::move(result);
  }

  [[nodiscard]] std::optional<T> peek(const here& where) const {
    alignas(V) std::byte value[sizeof(V)];
    if (!peek_stored(value, where)) return std::nullopt;
    return form::load(*std::launder(reinterpret_cast<V*>(value)));
  }

  [[nodiscard]] queue_totals totals(const here& where) const {
    if (std::byte* block = direct_block()) [[likely]] {
      std::uint64_t atomics = 0;
      const queue_totals totals = ring(block, capacity_).ends().totals(atomics);
      tally_atomics(atomics);
      return totals;
    }
    queue_totals totals;
    call<&serve_totals>(request(phase_entry(0), 0, portion::all), {},
                        std::as_writable_bytes(std::span(&totals, 1)), ring::calls.totals, where);
    return totals;
  }

  template <class F>
  void for_each(F&& f, const here&) const {
    require_host(ring::calls.for_each_local);
    const ring mine = own_ring();
    const std::uint64_t end = mine.ends().pushed();
    for (std::uint64_t place = mine.ends().popped(); place != end; ++place) {
      const V stored = load_form(mine.at(place));
      f(form::load(form::copy(stored)));
    }
  }

  // --- collective --------------------------------------------------------------------

  void clear() {
    const runtime::failures_held until_all_is_done;
    members_.barrier();
    if (members_.rank() == host_) {
      release_all(own_ring());
      own_ring().drop();
    }
    members_.barrier();
  }

  void resize(std::uint64_t capacity) { rebuild(host_, capacity, ring::calls.resize); }
  void migrate(hosted_by host) { rebuild(host.member, capacity_, ring::calls.migrate); }

 private:
  /// The same queue on another host, or with another capacity.
  void rebuild(rank_t host, std::uint64_t capacity, const char* call) {
    const runtime::failures_held until_all_is_done;
    // From here on nobody uses the queue.
    members_.barrier();
    queue_totals totals;
    if (members_.rank() == host_) {
      std::uint64_t atomics = 0;
      totals = own_ring().ends().totals(atomics);
    }
    totals = members_.broadcast(totals, host_);
    hosted_memory fresh = allocate({host}, capacity, call);
    // All members have found that they ask for the same capacity.
    if (totals.size() > capacity) throw_too_few_places(call, totals.size(), capacity);
    const bool changes_node = is_separate<T> && runtime::node_of(members_.world_rank(host)) !=
                                                    runtime::node_of(members_.world_rank(host_));
    std::exception_ptr failure;
    if (members_.rank() == host) {
      try {
        copy_to(ring(fresh.mine(), capacity), totals, changes_node);
      } catch (...) {
        failure = std::current_exception();
      }
    }
    // The new host has read everything, or has found no room for it.
    const bool has_failed = members_.allreduce(failure != nullptr, op::logical_or);
    if (failure) std::rethrow_exception(failure);
    if (has_failed) throw_failed_migration(call);
    if (changes_node && members_.rank() == host_) release_all(own_ring());
    memory_ = std::move(fresh);
    host_ = host;
    capacity_ = capacity;
  }

  [[nodiscard]] hosted_memory allocate(hosted_by host, std::uint64_t capacity,
                                       const char* call) const {
    return {members_,
            host,
            ring::block_bytes(capacity),
            ring::block_alignment,
            call,
            {.number = capacity, .least = 1, .unit = "values"}};
  }
  [[nodiscard]] std::byte* direct_block() const noexcept {
    return runtime::direct_address(memory_.bits());
  }
  [[nodiscard]] ring own_ring() const noexcept { return ring(memory_.mine(), capacity_); }
  void require_host(const char* call) const {
    if (members_.rank() != host_) [[unlikely]] {
      throw_not_host(call, host_);
    }
  }
  [[nodiscard]] static V load_form(const std::byte* source) noexcept {
    alignas(V) std::byte copy[sizeof(V)];
    std::memcpy(copy, source, sizeof(V));
    return *std::launder(reinterpret_cast<V*>(copy));
  }

  /// Until `attempt()` succeeds.
  template <class Attempt>
  void wait_for(Attempt&& attempt, const char* what, const here& where) const {
    if (direct_block() != nullptr) {
      runtime::wait_until(attempt, what, runtime::may_run::user_code, where);
    } else {
      retry_with_pauses(attempt, what, where);
    }
  }

  /// Frees the blocks of all values. While nobody else uses the queue.
  static void release_all(const ring& of) noexcept {
    if constexpr (is_separate<T>) {
      const std::uint64_t end = of.ends().pushed();
      for (std::uint64_t place = of.ends().popped(); place != end; ++place) {
        form::release(load_form(of.at(place)));
      }
    }
  }

  // --- stored forms, by the byte -----------------------------------------------------------

  /// @return how many of the values were pushed
  template <class Guarantee>
  std::size_t push_stored(std::span<const V> values, portion how, Guarantee guarantee,
                          const here& where) {
    if (values.empty()) return 0;
    if constexpr (is_local<Guarantee>) require_host(ring::calls.push);
    const auto* bytes = reinterpret_cast<const std::byte*>(values.data());
    if (std::byte* block = direct_block()) [[likely]] {
      const ring there(block, capacity_);
      note(there, container_operation::push, guarantee);
      if constexpr (is_local<Guarantee>) {
        const queue_places places = there.ends().take_push(values.size(), how, capacity_);
        there.fill(places, bytes);
        return places.count;
      } else {
        return push_here(there, values.size(), bytes, how);
      }
    }
    const phase_entry entry = entry_of(container_operation::push, guarantee);
    if (how == portion::some)
      values = values.first(std::min<std::uint64_t>(values.size(), capacity_));
    if (values.size_bytes() <= runtime::max_payload()) {
      return call<&serve_push>(request(entry, values.size(), how), {bytes, values.size_bytes()}, {},
                               ring::calls.push, where);
    }
    std::optional<remote_stage> stage;
    return push_staged(stage, values, how, entry, where);
  }

  /// @param values  room for `wanted` of them @return how many were popped
  template <class Guarantee>
  std::size_t pop_stored(std::byte* values, std::size_t wanted, portion how, Guarantee guarantee,
                         const here& where) {
    if (wanted == 0) return 0;
    if constexpr (is_local<Guarantee>) require_host(ring::calls.pop);
    if (std::byte* block = direct_block()) [[likely]] {
      const ring there(block, capacity_);
      note(there, container_operation::pop, guarantee);
      if constexpr (is_local<Guarantee>) {
        const queue_places places = there.ends().take_pop(wanted, how);
        there.empty(places, values);
        return places.count;
      } else {
        return pop_here(there, wanted, values, how);
      }
    }
    const phase_entry entry = entry_of(container_operation::pop, guarantee);
    if (how == portion::all && wanted > capacity_) return 0;
    wanted = std::min<std::uint64_t>(wanted, capacity_);
    if (wanted * sizeof(V) <= runtime::max_payload()) {
      return call<&serve_pop>(request(entry, wanted, how), {}, {values, wanted * sizeof(V)},
                              ring::calls.pop, where);
    }
    return pop_staged(values, wanted, how, entry, where);
  }

  void push_stored_wait(std::span<const V> values, const here& where) {
    if (direct_block() != nullptr || values.size_bytes() <= runtime::max_payload()) {
      wait_for([&] { return push_stored(values, portion::all, no_guarantee{}, where) != 0; },
               ring::calls.push_wait, where);
      return;
    }
    std::optional<remote_stage> stage;
    retry_with_pauses(
        [&] {
          const phase_entry entry = entry_of(container_operation::push, no_guarantee{});
          return push_staged(stage, values, portion::all, entry, where) != 0;
        },
        ring::calls.push_wait, where);
  }

  [[nodiscard]] bool peek_stored(std::byte* value, const here& where) const {
    if (std::byte* block = direct_block()) [[likely]] {
      std::uint64_t atomics = 0;
      const bool found = ring(block, capacity_).peek(value, atomics);
      tally_atomics(atomics);
      if (found) tally_reads(1);
      return found;
    }
    if (sizeof(V) > runtime::max_payload()) return peek_staged(value, where);
    return call<&serve_peek>(request(phase_entry(0), 1, portion::all), {}, {value, sizeof(V)},
                             ring::calls.peek, where) != 0;
  }

  /// Calls take(value) for each value popped.
  template <class Guarantee, class Take>
  void pop_each(std::size_t wanted, portion how, Guarantee guarantee, Take&& take,
                const here& where) {
    if constexpr (is_separate<T>) {
      if (direct_block() == nullptr) {
        pop_bytes(wanted, how, guarantee, take, where);
        return;
      }
    }
    if (how == portion::all && wanted > capacity_) return;
    popped_values<T> forms(std::min<std::uint64_t>(wanted, capacity_));
    forms.set_count(pop_stored(forms.bytes(), forms.room(), how, guarantee, where));
    while (!forms.empty()) take(forms.take_front());
  }

  // --- separate values of another node -----------------------------------------------------
  // They travel as length and bytes, one after the other. At the host each has a block in
  // its heap; nothing is decoded there. What no message carries is put there, or fetched.

  template <class Guarantee>
  std::size_t push_bytes(std::span<const T> values, portion how, Guarantee guarantee,
                         const here& where) {
    if (values.empty()) return 0;
    if constexpr (is_local<Guarantee>) require_host(ring::calls.push);
    std::vector<std::byte> records;
    const std::size_t fitting = append_records(records, values, runtime::max_payload());
    const phase_entry entry = entry_of(container_operation::push, guarantee);
    if (fitting == values.size()) {
      return call<&serve_push_bytes>(request(entry, values.size(), how), records, {},
                                     ring::calls.push, where);
    }
    const std::uint64_t room = capacity_ - totals(where).size();
    if (room == 0 || (how == portion::all && room < values.size())) return 0;
    values = values.first(std::min<std::uint64_t>(values.size(), room));
    std::vector<remote_stage> blocks;
    std::vector<V> forms;
    for (const T& each : values) {
      const std::vector<std::byte> bytes = serialize(each);
      const fabric::word offset =
          call<&serve_allocate>(request(entry, std::max<std::size_t>(bytes.size(), 8), how), {}, {},
                                ring::calls.push, where);
      blocks.emplace_back(std::uint64_t{members_.world_rank(host_)} << offset_bits | offset,
                          ring::calls.push);
      runtime::put_remote(blocks.back().bits(), bytes.data(), bytes.size());
      forms.push_back({.where = blocks.back().bits(), .bytes = bytes.size()});
    }
    const std::size_t pushed = push_stored(std::span<const V>(forms), how, guarantee, where);
    for (std::size_t i = 0; i < pushed; ++i) blocks[i].give_away();
    return pushed;
  }

  template <class Guarantee, class Take>
  void pop_bytes(std::size_t wanted, portion how, Guarantee guarantee, Take&& take,
                 const here& where) {
    if (wanted == 0 || (how == portion::all && wanted > capacity_)) return;
    if constexpr (is_local<Guarantee>) require_host(ring::calls.pop);
    wanted = std::min<std::uint64_t>(wanted, capacity_);
    std::size_t count = 0;
    std::vector<V> forms(wanted);
    if (wanted * sizeof(V) > runtime::max_payload()) {
      count = pop_stored(reinterpret_cast<std::byte*>(forms.data()), wanted, how, guarantee, where);
    } else {
      std::vector<std::byte> answer(runtime::max_payload());
      const fabric::word code = call<&serve_pop_bytes>(
          request(entry_of(container_operation::pop, guarantee), wanted, how), {}, answer,
          ring::calls.pop, where);
      count = code >> 1;
      if ((code & 1) != 0) {
        for_each_record({answer.data(), answer.size()}, count,
                        [&](std::span<const std::byte> bytes) { take(load_record(bytes)); });
        return;
      }
      std::memcpy(forms.data(), answer.data(), count * sizeof(V));
    }
    std::vector<remote_stage> blocks;
    for (const V& each : std::span(forms).first(count)) {
      blocks.emplace_back(each.where, ring::calls.pop, members_.world_rank(host_));
    }
    for (std::size_t i = 0; i < count; ++i) {
      std::vector<std::byte> bytes(forms[i].bytes);
      if (!bytes.empty()) runtime::get_remote(forms[i].where, bytes.data(), bytes.size());
      take(deserialize<T>(bytes));
    }
  }

  static T load_record(std::span<const std::byte> bytes) {
    const copied_bytes aligned(bytes);
    return deserialize<T>(aligned.bytes());
  }

  /// @return how many of the values fit into `most` bytes; as soon as one does not, the rest
  ///         is left out
  static std::size_t append_records(std::vector<std::byte>& records, std::span<const T> values,
                                    std::size_t most) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::uint64_t length = serialized_size(values[i]);
      if (records.size() + sizeof(length) + length > most) return i;
      append_record(records, serialize(values[i]));
    }
    return values.size();
  }
  static void append_record(std::vector<std::byte>& records, std::span<const std::byte> bytes) {
    const std::uint64_t length = bytes.size();
    const auto head = std::as_bytes(std::span(&length, 1));
    records.insert(records.end(), head.begin(), head.end());
    records.insert(records.end(), bytes.begin(), bytes.end());
  }
  template <class F>
  static void for_each_record(std::span<const std::byte> records, std::uint64_t count, F&& f) {
    for (; count != 0; --count) {
      std::uint64_t length = 0;
      std::memcpy(&length, records.data(), sizeof(length));
      f(records.subspan(sizeof(length), length));
      records = records.subspan(sizeof(length) + length);
    }
  }

  static void serve_allocate(std::span<const fabric::word> words, std::span<const std::byte>,
                             call_answer& answer) {
    answer.code = runtime::segment_offset(runtime::allocate_private(words[3], 64));
  }
  static void serve_push_bytes(std::span<const fabric::word> words,
                               std::span<const std::byte> payload, call_answer& answer) {
    const ring mine = ring_of(words);
    note_request(mine, container_operation::push, words);
    if (!may_have_room(mine, words)) return;
    stored_blocks<T> forms;
    for_each_record(payload, words[3], [&](std::span<const std::byte> bytes) { forms.add(bytes); });
    std::uint64_t atomics = 0;
    const queue_places places =
        mine.ends().reserve_push(words[3], portion_of(words), words[1], atomics);
    mine.fill(places, forms.bytes());
    forms.give_away(places.count);
    answer.code = places.count;
  }
  /// The values themselves when a message carries them all, else where they are.
  static void serve_pop_bytes(std::span<const fabric::word> words, std::span<const std::byte>,
                              call_answer& answer) {
    const ring mine = ring_of(words);
    note_request(mine, container_operation::pop, words);
    // Memory first: what is reserved must be popped.
    answer.bytes.reserve(runtime::max_payload());
    std::vector<V> forms(words[3]);
    std::uint64_t atomics = 0;
    const queue_places places =
        mine.ends().reserve_pop(words[3], portion_of(words), words[1], atomics);
    mine.empty(places, reinterpret_cast<std::byte*>(forms.data()));
    forms.resize(places.count);
    std::size_t bytes = 0;
    for (const V& each : forms) bytes += sizeof(std::uint64_t) + each.bytes;
    const bool inside = bytes <= runtime::max_payload();
    answer.code = places.count << 1 | (inside ? 1 : 0);
    if (!inside) {
      const auto raw = std::as_bytes(std::span(forms));
      answer.bytes.assign(raw.begin(), raw.end());
      return;
    }
    for (const V& each : forms) {
      append_record(answer.bytes, {runtime::direct_address(each.where), each.bytes});
      form::release(each);
    }
  }

  // --- guarantees --------------------------------------------------------------------------

  template <class Guarantee>
  [[nodiscard]] phase_entry entry_of(container_operation what, Guarantee guarantee) const {
    if constexpr (has_checks) return phase_entry::of(members_, what, guarantee);
    return phase_entry(0);
  }
  static const char* name_of(container_operation what) noexcept {
    return what == container_operation::push ? ring::calls.push : ring::calls.pop;
  }
  template <class Guarantee>
  void note(const ring& there, container_operation what, Guarantee guarantee) const {
    if constexpr (has_checks) there.record().note(name_of(what), entry_of(what, guarantee));
  }
  static void note_request(const ring& there, container_operation what,
                           std::span<const fabric::word> words) {
    if constexpr (has_checks) there.record().note(name_of(what), phase_entry(words[2]));
  }

  // --- in this node ------------------------------------------------------------------------

  static std::size_t push_here(const ring& there, std::size_t wanted, const std::byte* values,
                               portion how) noexcept {
    std::uint64_t atomics = 0;
    const queue_places places = there.ends().reserve_push(wanted, how, there.capacity(), atomics);
    there.fill(places, values);
    tally_atomics(atomics);
    runtime::count(runtime::counted::direct_put, places.count);
    runtime::count(runtime::counted::direct_put_bytes, places.count * sizeof(V));
    return places.count;
  }
  static std::size_t pop_here(const ring& there, std::size_t wanted, std::byte* values,
                              portion how) noexcept {
    std::uint64_t atomics = 0;
    const queue_places places = there.ends().reserve_pop(wanted, how, there.capacity(), atomics);
    there.empty(places, values);
    tally_atomics(atomics);
    tally_reads(places.count);
    return places.count;
  }
  static void tally_atomics(std::uint64_t atomics) noexcept {
    runtime::count(runtime::counted::direct_atomic, atomics);
  }
  static void tally_reads(std::uint64_t values) noexcept {
    runtime::count(runtime::counted::direct_get, values);
    runtime::count(runtime::counted::direct_get_bytes, values * sizeof(V));
  }

  // --- on another node ---------------------------------------------------------------------

  using request_words = std::array<fabric::word, 6>;

  /// Where the ring is, what is done to it, how many values; and staged values, if any.
  [[nodiscard]] request_words request(phase_entry entry, std::uint64_t count, portion how,
                                      std::uint64_t staged = 0) const noexcept {
    return {memory_.bits() & offset_mask,   capacity_,           entry.bits(), count,
            static_cast<fabric::word>(how), staged & offset_mask};
  }
  [[nodiscard]] static ring ring_of(std::span<const fabric::word> words) noexcept {
    return ring(runtime::world.segment + words[0], words[1]);
  }
  static portion portion_of(std::span<const fabric::word> words) noexcept {
    return static_cast<portion>(words[4]);
  }

  template <auto* Serve>
  fabric::word call(const request_words& words, std::span<const std::byte> payload,
                    std::span<std::byte> result, const char* what, const here& where) const {
    return run_remote_call(members_.world_rank(host_), run_by::anyone, token_of<Serve>(), words,
                           payload, result, what, where);
  }

  // At the host, in whatever thread finds the message. What was done is counted where it
  // was asked for, as messages.

  static void serve_push(std::span<const fabric::word> words, std::span<const std::byte> payload,
                         call_answer& answer) {
    const ring mine = ring_of(words);
    note_request(mine, container_operation::push, words);
    std::uint64_t atomics = 0;
    const queue_places places =
        mine.ends().reserve_push(words[3], portion_of(words), words[1], atomics);
    mine.fill(places, payload.data());
    answer.code = places.count;
  }
  static void serve_pop(std::span<const fabric::word> words, std::span<const std::byte>,
                        call_answer& answer) {
    const ring mine = ring_of(words);
    note_request(mine, container_operation::pop, words);
    // Memory first: what is reserved must be popped.
    answer.bytes.resize(words[3] * sizeof(V));
    std::uint64_t atomics = 0;
    const queue_places places =
        mine.ends().reserve_pop(words[3], portion_of(words), words[1], atomics);
    mine.empty(places, answer.bytes.data());
    answer.bytes.resize(places.count * sizeof(V));
    answer.code = places.count;
  }
  static void serve_peek(std::span<const fabric::word> words, std::span<const std::byte>,
                         call_answer& answer) {
    answer.bytes.resize(sizeof(V));
    std::uint64_t atomics = 0;
    answer.code = ring_of(words).peek(answer.bytes.data(), atomics) ? 1 : 0;
    if (answer.code == 0) answer.bytes.clear();
  }
  static void serve_totals(std::span<const fabric::word> words, std::span<const std::byte>,
                           call_answer& answer) {
    std::uint64_t atomics = 0;
    const queue_totals totals = ring_of(words).ends().totals(atomics);
    const auto bytes = std::as_bytes(std::span(&totals, 1));
    answer.bytes.assign(bytes.begin(), bytes.end());
  }

  // --- more than a message carries ----------------------------------------------------------

  /// Puts the values into memory at the host, unless they are there already, and has them
  /// pushed from there. The memory is freed with `stage`.
  std::size_t push_staged(std::optional<remote_stage>& stage, std::span<const V> values,
                          portion how, phase_entry entry, const here& where) {
    constexpr auto name = ring::calls.push;
    if (!stage) {
      const fabric::word offset =
          call<&serve_stage>(request(entry, values.size(), how), {}, {}, name, where);
      if (offset == 0) return 0;
      stage.emplace(std::uint64_t{members_.world_rank(host_)} << offset_bits | offset, name);
      runtime::put_remote(stage->bits(), values.data(), values.size_bytes());
    }
    return call<&serve_staged_push>(request(entry, values.size(), how, stage->bits()), {}, {}, name,
                                    where);
  }
  std::size_t pop_staged(std::byte* values, std::size_t wanted, portion how, phase_entry entry,
                         const here& where) {
    constexpr auto name = ring::calls.pop;
    std::uint64_t offset = 0;
    const fabric::word count =
        call<&serve_staged_pop>(request(entry, wanted, how), {},
                                std::as_writable_bytes(std::span(&offset, 1)), name, where);
    if (count == 0) return 0;
    const remote_stage stage(std::uint64_t{members_.world_rank(host_)} << offset_bits | offset,
                             name);
    runtime::get_remote(stage.bits(), values, count * sizeof(V));
    return count;
  }
  [[nodiscard]] bool peek_staged(std::byte* value, const here& where) const {
    constexpr auto name = ring::calls.peek;
    std::uint64_t offset = 0;
    const fabric::word count =
        call<&serve_staged_peek>(request(phase_entry(0), 1, portion::all), {},
                                 std::as_writable_bytes(std::span(&offset, 1)), name, where);
    if (count == 0) return false;
    const remote_stage stage(std::uint64_t{members_.world_rank(host_)} << offset_bits | offset,
                             name);
    runtime::get_remote(stage.bits(), value, sizeof(V));
    return true;
  }

  /// Memory for values to come: its offset, or 0 when there is no room in the queue now.
  static void serve_stage(std::span<const fabric::word> words, std::span<const std::byte>,
                          call_answer& answer) {
    const ring mine = ring_of(words);
    note_request(mine, container_operation::push, words);
    if (!may_have_room(mine, words)) return;
    answer.code = runtime::segment_offset(
        runtime::allocate_private(words[3] * sizeof(V), std::max<std::size_t>(alignof(V), 64)));
  }
  /// A look before values are brought: false when there was a moment without room.
  static bool may_have_room(const ring& there, std::span<const fabric::word> words) noexcept {
    const std::uint64_t pushed = there.ends().pushed();
    const std::uint64_t used = pushed - there.ends().popped();
    // More than the capacity: many were popped since the first look.
    const std::uint64_t room = used <= words[1] ? words[1] - used : words[1];
    return room != 0 && (portion_of(words) == portion::some || room >= words[3]);
  }
  static void serve_staged_push(std::span<const fabric::word> words, std::span<const std::byte>,
                                call_answer& answer) {
    const ring mine = ring_of(words);
    std::uint64_t atomics = 0;
    const queue_places places =
        mine.ends().reserve_push(words[3], portion_of(words), words[1], atomics);
    mine.fill(places, runtime::world.segment + words[5]);
    answer.code = places.count;
  }
  static void serve_staged_pop(std::span<const fabric::word> words, std::span<const std::byte>,
                               call_answer& answer) {
    const ring mine = ring_of(words);
    note_request(mine, container_operation::pop, words);
    const auto take_into = [&](std::byte* stage, std::uint64_t wanted) {
      std::uint64_t atomics = 0;
      const queue_places places =
          mine.ends().reserve_pop(wanted, portion_of(words), words[1], atomics);
      mine.empty(places, stage);
      return places.count;
    };
    answer_staged(answer, words[3], take_into);
  }
  static void serve_staged_peek(std::span<const fabric::word> words, std::span<const std::byte>,
                                call_answer& answer) {
    const ring mine = ring_of(words);
    answer_staged(answer, 1, [&](std::byte* stage, std::uint64_t) -> std::uint64_t {
      std::uint64_t atomics = 0;
      return mine.peek(stage, atomics) ? 1 : 0;
    });
  }
  /// Leaves the offset of memory with the values that `take(memory, most)` took.
  template <class Take>
  static void answer_staged(call_answer& answer, std::uint64_t most, Take take) {
    const std::uint64_t bytes = bytes_for(most, sizeof(V));
    answer.bytes.resize(sizeof(std::uint64_t));
    auto* const stage = static_cast<std::byte*>(
        runtime::allocate_private(bytes, std::max<std::size_t>(alignof(V), 64)));
    answer.code = take(stage, most);
    if (answer.code == 0) {
      runtime::free_private(stage);
      answer.bytes.clear();
      return;
    }
    const std::uint64_t offset = runtime::segment_offset(stage);
    std::memcpy(answer.bytes.data(), &offset, sizeof(offset));
  }

  // --- another ring -----------------------------------------------------------------------------

  /// On the new host: the values of the old ring, in the same places.
  /// @throws acre::error when there is no room for the blocks of separate values
  void copy_to(ring fresh, queue_totals totals, [[maybe_unused]] bool with_blocks) const {
    fresh.prepare(totals);
    if constexpr (is_separate<T>) {
      if (with_blocks) {
        stored_blocks<T> forms;
        for_each_value_of_old(totals, [&](std::uint64_t, const std::byte* value) {
          const V old = load_form(value);
          std::vector<std::byte> bytes(old.bytes);
          if (!bytes.empty()) runtime::get_remote(old.where, bytes.data(), bytes.size());
          forms.add(bytes);
        });
        for (std::uint64_t i = 0; i < totals.size(); ++i) {
          fresh.set(totals.popped + i, forms.bytes() + i * sizeof(V));
        }
        forms.give_away(totals.size());
        return;
      }
    }
    for_each_value_of_old(
        totals, [&](std::uint64_t place, const std::byte* value) { fresh.set(place, value); });
  }
  template <class F>
  void for_each_value_of_old(queue_totals totals, F&& f) const {
    if (const std::byte* block = direct_block()) {
      const ring old(const_cast<std::byte*>(block), capacity_);
      for (std::uint64_t place = totals.popped; place != totals.pushed; ++place) {
        f(place, old.at(place));
      }
      return;
    }
    // Slots as they lie, a piece that does not wrap at a time.
    constexpr std::uint64_t piece_bytes = std::uint64_t{1} << 16;
    constexpr std::uint64_t most = std::max<std::uint64_t>(piece_bytes / ring::slot_bytes, 1);
    std::vector<std::byte> slots(most * ring::slot_bytes);
    for (std::uint64_t place = totals.popped; place != totals.pushed;) {
      const std::uint64_t index = place & (queue_slots(capacity_) - 1);
      const std::uint64_t count =
          std::min({most, totals.pushed - place, queue_slots(capacity_) - index});
      runtime::get_remote(memory_.bits() + ring::slot_offset(index), slots.data(),
                          count * ring::slot_bytes);
      for (std::uint64_t i = 0; i < count; ++i, ++place) {
        f(place, slots.data() + i * ring::slot_bytes + ring::value_offset);
      }
    }
  }

  team members_;
  rank_t host_;
  std::uint64_t capacity_;
  hosted_memory memory_;
  collective_end end_;
};

}  // namespace acre::detail
