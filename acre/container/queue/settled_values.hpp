// SPDX-License-Identifier: BSD-3-Clause
// Values of a queue as an array, on any rank, in a phase without pushes and pops.
//
//     acre::barrier();                                   // all pushes have returned
//     const acre::settled_values<edge> all = found.settled();
//     for (std::uint64_t i = 0; i < all.size(); ++i) use(all[i]);
#pragma once

#include <acre/base/bits.hpp>
#include <acre/container/queue/detail/queue_host.hpp>
#include <acre/global/memory/direct_access.hpp>
#include <acre/global/team/stored.hpp>
#include <acre/runtime/completion.hpp>
#include <acre/runtime/counters.hpp>
#include <acre/runtime/remote.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace acre {

namespace container {

/// Slots of a queue in its host's segment.
struct settled_slots {
  std::uint64_t first_bits;  ///< global pointer bits of the first slot
  std::uint64_t mask;        ///< number of slots, a power of two, minus 1
  std::uint64_t start;       ///< slot of the oldest value
  std::uint64_t size;        ///< number of values
  std::size_t slot_bytes;
  std::size_t value_offset;
};

}  // namespace container

/// Made by settled() of a queue. Copies are cheap. Valid until the next collective of the queue's
/// team or of all ranks.
/// @tparam T  of fixed size
template <storable T>
class settled_values {
  static_assert(!is_separate<T>, "values of varying size are popped, not read in place");
  using form = stored_form<T>;
  using V = stored_t<T>;

 public:
  using value_type = T;

  settled_values() = default;
  explicit settled_values(const container::settled_slots& slots) noexcept : slots_(slots) {}

  [[nodiscard]] std::uint64_t size() const noexcept { return slots_.size; }
  [[nodiscard]] bool empty() const noexcept { return slots_.size == 0; }

  /// Value `i`, 0 being the oldest. Cost: R.
  /// @throws acre::error unless i < size()
  [[nodiscard]] T operator[](std::uint64_t i) const {
    check("settled_values[]", i, 1);
    const std::uint64_t at = value_bits(index_of(i));
    if (const std::byte* value = runtime::direct_address(at)) {
      runtime::count(runtime::counted::direct_get);
      runtime::count(runtime::counted::direct_get_bytes, sizeof(V));
      const V stored = global::load_direct<V>(value);
      return form::load(form::copy(stored));
    }
    alignas(V) std::byte copy[sizeof(V)];
    runtime::get_remote_value(at, copy, sizeof(V));
    const V stored = global::load_bytes<V>(copy);
    return form::load(form::copy(stored));
  }

  /// Copies values first, first + 1, … . Cost: R, twice if the queue's ring wraps around in
  /// between. At other nodes, a circular_queue's or serialised values: R per 64 KiB.
  /// @throws acre::error if they exceed size()
  void read(std::uint64_t first, std::span<T> values) const {
    check("settled_values::read", first, values.size());
    std::size_t done = 0;
    for_each_slot(first, values.size(), values.data(), [&](const std::byte* value) {
      const V stored = global::load_bytes<V>(value);
      values[done++] = form::load(form::copy(stored));
    });
  }

  /// Copies all values. Cost: as read().
  [[nodiscard]] std::vector<T> copy() const {
    std::vector<T> all;
    all.reserve(slots_.size);
    for_each_slot(0, slots_.size, nullptr, [&](const std::byte* value) {
      const V stored = global::load_bytes<V>(value);
      all.push_back(form::load(form::copy(stored)));
    });
    return all;
  }

 private:
  static constexpr std::size_t piece_bytes = std::size_t{1} << 16;

  void check(const char* call, std::uint64_t first, std::uint64_t count) const {
    if (count > slots_.size || first > slots_.size - count) [[unlikely]] {
      container::throw_not_settled(call, first, count, slots_.size);
    }
  }
  [[nodiscard]] std::uint64_t index_of(std::uint64_t i) const noexcept {
    return (slots_.start + i) & slots_.mask;
  }
  [[nodiscard]] std::uint64_t value_bits(std::uint64_t index) const noexcept {
    return slots_.first_bits + index * slots_.slot_bytes + slots_.value_offset;
  }

  /// Calls f(value) for each value, or copies contiguous runs of values to `to`.
  template <class F>
  void for_each_slot(std::uint64_t first, std::uint64_t count, T* to, F&& f) const {
    while (count != 0) {
      const std::uint64_t index = index_of(first);
      std::uint64_t run = smaller(count, slots_.mask + 1 - index);
      if (const std::byte* value = runtime::direct_address(value_bits(index))) {
        runtime::count(runtime::counted::direct_get);
        runtime::count(runtime::counted::direct_get_bytes, run * sizeof(V));
        for (std::uint64_t i = 0; i < run; ++i, value += slots_.slot_bytes) f(value);
      } else if (storage_of<T> == storage::direct && slots_.slot_bytes == sizeof(T) &&
                 to != nullptr) {
        runtime::get_remote(value_bits(index), to, run * sizeof(T));
        to += run;
      } else {
        run = smaller(run, larger<std::uint64_t>(piece_bytes / slots_.slot_bytes, 1));
        read_piece(index, run, f);
      }
      first += run;
      count -= run;
    }
  }

  template <class F>
  void read_piece(std::uint64_t index, std::uint64_t count, F& f) const {
    const std::uint64_t from = value_bits(index);
    const std::size_t bytes = (count - 1) * slots_.slot_bytes + sizeof(V);
    // In the record: a get that fails may still write.
    const runtime::awaited<fabric::operation> reading(
        bytes, [&](fabric::operation& done, std::byte* room) {
          runtime::get_remote(from, room, bytes, done);
        });
    reading.wait("settled_values::read");
    const std::byte* value = reading.room();
    for (std::uint64_t i = 0; i < count; ++i, value += slots_.slot_bytes) f(value);
  }

  container::settled_slots slots_{};
};

}  // namespace acre
