// SPDX-License-Identifier: BSD-3-Clause
// A multimap's values of one key, stored as in batch_items.hpp in one block. Values are appended
// under the bucket's lock; to a full block by copying to one of twice the size in the private heap
// of a rank of the owner's node. A reader copies the first `bytes` bytes, and checks that the
// bucket has not changed (stored.hpp); appending writes after them.
#pragma once

#include <acre/base/bits.hpp>
#include <acre/global/memory/direct_access.hpp>
#include <acre/global/team/stored.hpp>
#include <acre/global/wire/packed_items.hpp>
#include <acre/global/wire/serialization.hpp>
#include <acre/runtime/memory.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace acre {

namespace container {

template <class V>
struct value_list {
  std::vector<V> values;

  friend auto acre_fields(value_list& list) { return std::tie(list.values); }
};

template <class V>
struct listed {
  using type = V;
};
template <class V>
struct listed<value_list<V>> {
  using type = V;
};
template <class V>
using listed_t = typename listed<V>::type;

template <class K, class V>
void unfold(std::vector<std::pair<K, V>>& entries, K key, V value) {
  entries.emplace_back(std::move(key), std::move(value));
}
template <class K, class V>
void unfold(std::vector<std::pair<K, V>>& entries, const K& key, value_list<V> list) {
  for (auto&& each : list.values) entries.emplace_back(key, std::move(each));
}

template <class V>
struct listed_value {
  static constexpr bool is_copied = transferable<V>;

  static std::size_t bytes_of(const V& value) {
    if constexpr (is_copied) {
      return sizeof(V);
    } else {
      return global::packed_bytes(serialized_size(value));
    }
  }
  static void write(std::span<std::byte> place, const V& value) {
    if constexpr (is_copied) {
      std::memcpy(place.data(), &value, sizeof(V));
    } else {
      std::memset(place.data(), 0, place.size());
      write_to(global::begin_item(place, serialized_size(value)), value);
    }
  }
  /// Calls use(value, its bytes) for each value.
  template <class Use>
  static void for_each(std::span<const std::byte> all, Use&& use) {
    while (!all.empty()) {
      if constexpr (is_copied) {
        use(global::load_bytes<V>(all.data()), all.first(sizeof(V)));
        all = all.subspan(sizeof(V));
      } else {
        const global::packed_item item = global::first_item(all);
        use(deserialize<V>(item.bytes), item.whole);
        all = all.subspan(item.whole.size());
      }
    }
  }
};

}  // namespace container

template <class V>
struct stored_form<container::value_list<V>, storage::separate> {
  using list = container::value_list<V>;
  using value = container::listed_value<V>;
  using image = copied_bytes;

  /// Global pointer, bytes in use and in all, number of values.
  struct type {
    std::uint64_t where;
    std::uint64_t bytes;
    std::uint64_t room;
    std::uint64_t count;
  };

  /// @throws acre::error if the private heap is full
  static type store(const list& values) {
    type stored = with_room(bytes_of_all(values.values));
    try {
      add_all(stored, values.values);
    } catch (...) {
      release(stored);
      throw;
    }
    return stored;
  }
  static copied_bytes copy(const type& stored) { return copied_bytes(bytes_of(stored)); }
  static list load(const copied_bytes& copied) {
    list all;
    value::for_each(copied.bytes(), [&](V&& each, std::span<const std::byte>) {
      all.values.push_back(std::move(each));
    });
    return all;
  }
  static void release(const type& stored) noexcept { runtime::free_private_of(stored.where); }

  // under the bucket's lock; without effect if they throw

  /// @throws acre::error if the private heap is full
  template <class Range>
  static void append(type& stored, const Range& added) {
    const std::size_t bytes = stored.bytes + bytes_of_all(added);
    if (bytes <= stored.room) {
      type longer = stored;
      add_all(longer, added);
      stored = longer;
      return;
    }
    type fresh = with_room(larger<std::size_t>(2 * stored.room, bytes));
    std::memcpy(address_of(fresh), address_of(stored), stored.bytes);
    fresh.bytes = stored.bytes;
    fresh.count = stored.count;
    try {
      add_all(fresh, added);
    } catch (...) {
      release(fresh);
      throw;
    }
    release(stored);
    stored = fresh;
  }

  /// @return number of values removed
  template <class Test>
  static std::uint64_t remove_if(type& stored, Test&& test) {
    std::vector<std::span<const std::byte>> kept;
    std::uint64_t removed = 0;
    value::for_each(bytes_of(stored), [&](const V& each, std::span<const std::byte> bytes) {
      if (test(each)) {
        ++removed;
      } else if (!kept.empty() && kept.back().data() + kept.back().size() == bytes.data()) {
        kept.back() = {kept.back().data(), kept.back().size() + bytes.size()};
      } else {
        kept.push_back(bytes);
      }
    });
    if (removed == 0) return 0;
    std::byte* to = address_of(stored);
    for (const std::span<const std::byte> run : kept) {
      std::memmove(to, run.data(), run.size());
      to += run.size();
    }
    stored.bytes = static_cast<std::uint64_t>(to - address_of(stored));
    stored.count -= removed;
    return removed;
  }

 private:
  static type with_room(std::size_t bytes) {
    const std::size_t room = larger(round_up(bytes, payload_alignment), sizeof(std::uint64_t));
    auto* const block = static_cast<std::byte*>(runtime::allocate_private(room, payload_alignment));
    return {.where = runtime::global_bits(block), .bytes = 0, .room = room, .count = 0};
  }
  static std::byte* address_of(const type& stored) noexcept {
    return runtime::direct_address(stored.where);
  }
  static std::span<const std::byte> bytes_of(const type& stored) noexcept {
    return {address_of(stored), stored.bytes};
  }
  template <class Range>
  static std::size_t bytes_of_all(const Range& values) {
    std::size_t bytes = 0;
    for (const V& each : values) bytes += value::bytes_of(each);
    return bytes;
  }
  template <class Range>
  static void add_all(type& stored, const Range& values) {
    for (const V& each : values) {
      const std::size_t bytes = value::bytes_of(each);
      value::write({address_of(stored) + stored.bytes, bytes}, each);
      stored.bytes += bytes;
      ++stored.count;
    }
  }
};

}  // namespace acre
