// SPDX-License-Identifier: BSD-3-Clause
// Requests of other nodes, served by any thread of the host. A service allocates its answer before
// it reserves places, as a reservation cannot be undone.
#pragma once

#include <acre/base/bits.hpp>
#include <acre/container/guarantee.hpp>
#include <acre/container/phase_record.hpp>
#include <acre/container/queue/detail/queue_ends.hpp>
#include <acre/container/queue/detail/queue_records.hpp>
#include <acre/container/queue/detail/stored_values.hpp>
#include <acre/global/owner/at_owner.hpp>
#include <acre/global/team/stored.hpp>
#include <acre/runtime/active_message.hpp>
#include <acre/runtime/world.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace acre::container {

/// Ring offset in the host's segment, capacity, phase_entry bits, count, portion.
using queue_words = std::array<fabric::word, 5>;

template <class Ring>
class asked_ring {
 public:
  explicit asked_ring(const at_owner::asked& request)
      : ring(block_of(request), request.words[1]),
        count(request.words[3]),
        entry_(request.words[2]),
        how_(static_cast<portion>(request.words[4])) {}

  void note(const char* call) const { note_if_checked(ring.record(), call, entry_); }
  [[nodiscard]] queue_places reserve_push(std::uint64_t values) const noexcept {
    std::uint64_t atomics = 0;
    return ring.ends().reserve_push(values, how_, ring.capacity(), atomics);
  }
  [[nodiscard]] queue_places reserve_pop(std::uint64_t values) const noexcept {
    std::uint64_t atomics = 0;
    return ring.ends().reserve_pop(values, how_, ring.capacity(), atomics);
  }
  /// Values available; 0 if too few for `portion::all`.
  [[nodiscard]] std::uint64_t held() const noexcept {
    const std::uint64_t popped = ring.ends().popped();
    const std::uint64_t held = ring.ends().pushed() - popped;
    return held < count && how_ == portion::all ? 0 : smaller(held, count);
  }
  [[nodiscard]] std::uint64_t room() const noexcept {
    const std::uint64_t pushed = ring.ends().pushed();
    const std::uint64_t used = pushed - ring.ends().popped();
    // Wrapped around: pops overtook the first read.
    const std::uint64_t free = used <= ring.capacity() ? ring.capacity() - used : ring.capacity();
    return free < count && how_ == portion::all ? 0 : smaller(free, count);
  }

  const Ring ring;
  const std::uint64_t count;

 private:
  static std::byte* block_of(const at_owner::asked& request) {
    const fabric::word capacity = request.words[1];
    if (capacity > runtime::world.segment_bytes) at_owner::throw_not_here();
    return at_owner::block_here(request.words[0], Ring::block_bytes(capacity));
  }

  phase_entry entry_;
  portion how_;
};

struct service_by_anyone {
  static constexpr at_owner::run_by runner = at_owner::run_by::anyone;
};

/// Code: number pushed.
template <class T, class Ring>
struct push_service : service_by_anyone {
  static void serve(const at_owner::asked& request, at_owner::answer& reply) {
    const asked_ring<Ring> at(request);
    at.note(Ring::calls.push);
    if (request.payload.size() / sizeof(stored_t<T>) < at.count) at_owner::throw_not_here();
    const queue_places places = at.reserve_push(at.count);
    at.ring.fill(places, request.payload.data());
    reply.code = places.count;
  }
};

/// Code: number popped.
template <class T, class Ring>
struct pop_service : service_by_anyone {
  static void serve(const at_owner::asked& request, at_owner::answer& reply) {
    const asked_ring<Ring> at(request);
    at.note(Ring::calls.pop);
    const std::uint64_t most = at.held();
    if (most == 0) return;
    const std::span<std::byte> values = reply.room(most * sizeof(stored_t<T>));
    const queue_places places = at.reserve_pop(most);
    at.ring.empty(places, values.data());
    reply.keep_first(places.count * sizeof(stored_t<T>));
    reply.code = places.count;
  }
};

/// Before a large transfer. Code: number that fits.
template <class T, class Ring>
struct room_service : service_by_anyone {
  static void serve(const at_owner::asked& request, at_owner::answer& reply) {
    reply.code = asked_ring<Ring>(request).room();
  }
};

/// Code: 1, or 0 if empty.
template <class T, class Ring>
struct peek_service : service_by_anyone {
  static void serve(const at_owner::asked& request, at_owner::answer& reply) {
    const std::span<std::byte> value = reply.room(sizeof(stored_t<T>));
    std::uint64_t atomics = 0;
    reply.code = asked_ring<Ring>(request).ring.peek(value.data(), atomics) ? 1 : 0;
    if (reply.code == 0) reply.keep_first(0);
  }
};

template <class T, class Ring>
struct totals_service : service_by_anyone {
  static void serve(const at_owner::asked& request, at_owner::answer& reply) {
    std::uint64_t atomics = 0;
    reply.write(asked_ring<Ring>(request).ring.ends().totals(atomics));
  }
};

template <class T, class Ring>
struct settled_service : service_by_anyone {
  static void serve(const at_owner::asked& request, at_owner::answer& reply) {
    const asked_ring<Ring> at(request);
    at.note(Ring::calls.settled);
    reply.write(at.ring.settled());
  }
};

// --- separate values -------------------------------------------------------------------
//
// Transferred as records; not deserialised at the host.

/// Code: number pushed.
template <class T, class Ring>
struct push_records_service : service_by_anyone {
  static void serve(const at_owner::asked& request, at_owner::answer& reply) {
    const asked_ring<Ring> at(request);
    at.note(Ring::calls.push);
    const std::uint64_t most = at.room();
    if (most == 0) return;
    stored_blocks<T> forms;
    for_each_record(request.payload, most,
                    [&](std::span<const std::byte> bytes) { forms.add(bytes); });
    const queue_places places = at.reserve_push(most);
    at.ring.fill(places, forms.bytes());
    forms.give_away(places.count);
    reply.code = places.count;
  }
};

/// Answers with records if they fit a message, else stored forms. Code: 2 · number, + 1 if records.
template <class T, class Ring>
struct pop_records_service : service_by_anyone {
  static void serve(const at_owner::asked& request, at_owner::answer& reply) {
    const asked_ring<Ring> at(request);
    at.note(Ring::calls.pop);
    const std::uint64_t most = at.held();
    if (most == 0) return;
    std::vector<stored_t<T>> forms(most);
    const std::size_t forms_bytes = most * sizeof(stored_t<T>);
    const std::span<std::byte> room = reply.room(larger(forms_bytes, runtime::max_payload()));
    const queue_places places = at.reserve_pop(most);
    at.ring.empty(places, reinterpret_cast<std::byte*>(forms.data()));
    forms.resize(places.count);
    std::size_t bytes = 0;
    for (const stored_t<T>& each : forms) bytes += record_bytes(each.bytes);
    const bool are_records = bytes <= room.size();
    reply.code = places.count << 1 | (are_records ? 1 : 0);
    if (!are_records) {
      const auto raw = std::as_bytes(std::span(forms));
      if (!raw.empty()) std::memcpy(room.data(), raw.data(), raw.size());
      return reply.keep_first(raw.size());
    }
    std::byte* to = room.data();
    for (const stored_t<T>& each : forms) {
      to = write_record(to, {runtime::direct_address(each.where), each.bytes});
      stored_form<T>::release(each);
    }
    reply.keep_first(bytes);
  }
};

}  // namespace acre::container
