// SPDX-License-Identifier: BSD-3-Clause
// Finds a key in a part of another node by gets, without the owner's CPU.
//
// Only for phases in which all ranks guarantee that none changes the map. Earlier changes are in
// the owner's memory before their rank enters the collective between the phases (release), which
// the get follows. So no store is concurrent with a get, and a copy needs no check of versions.
//
// The first get covers the home and buckets after it. The home's reach tells whether its keys may
// be beyond them.
#pragma once

#include <acre/base/bits.hpp>
#include <acre/base/site.hpp>
#include <acre/container/hash/detail/block_chain.hpp>
#include <acre/container/hash/detail/bucket_entry.hpp>
#include <acre/container/hash/detail/part_types.hpp>
#include <acre/runtime/completion.hpp>
#include <acre/runtime/remote.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace acre::container {

/// True if copies of buckets hold the entries, whose find may be a get.
template <class K, class V, class Guarantee>
inline constexpr bool may_read_buckets =
    company_of<Guarantee> == company::finders && !is_separate<K> && !is_separate<V>;

template <class K, class V, class Hash, class Equal>
class bucket_reads {
  using types = part_types<K, V, Hash, Equal, company::finders, blocks::one>;
  using entry = bucket_entry<types>;

 public:
  using bucket_type = typename types::bucket_type;

 private:
  static constexpr std::size_t most_bytes = 4096;
  static constexpr std::uint64_t buckets_in(std::size_t bytes) noexcept {
    return larger<std::uint64_t>(bytes / sizeof(bucket_type), 1);
  }

 public:
  /// 512 bytes or 8 buckets, the larger, but at most 4 KiB, and at least a bucket. With 21 buckets
  /// of 24 bytes 0.9 % of finds at load 0.75 need a second get, 0.01 % at load 0.5; with 8 buckets
  /// 5 % and 0.5 %.
  static constexpr std::uint64_t first_buckets =
      smaller(larger<std::uint64_t>(buckets_in(512), 8), buckets_in(most_bytes));
  static constexpr std::uint64_t next_buckets = buckets_in(most_bytes);
  static constexpr std::size_t bytes_of_a_read = first_buckets * sizeof(bucket_type);

  /// @param first  global pointer bits of the part's first bucket
  bucket_reads(std::uint64_t first, std::uint64_t capacity, const char* call) noexcept
      : first_(first), capacity_(capacity), call_(call) {}

  /// Position of a search: after `done` of the `reach` buckets of a home.
  struct position {
    std::uint64_t index;
    std::uint64_t done = 0;
    std::uint64_t reach = 1;

    [[nodiscard]] bool is_at_end() const noexcept { return done >= reach; }
  };
  [[nodiscard]] position home(std::uint64_t hash) const noexcept {
    return {.index = base::scale(hash, capacity_).whole};
  }
  [[nodiscard]] std::uint64_t count_at(const position& at) const noexcept {
    const std::uint64_t wanted =
        at.done == 0 ? first_buckets : smaller(next_buckets, at.reach - at.done);
    return smaller(wanted, capacity_ - at.index);
  }
  /// Global pointer bits.
  [[nodiscard]] std::uint64_t bits_of(const position& at) const noexcept {
    return first_ + at.index * sizeof(bucket_type);
  }

  /// Searches copied buckets, and moves `at` past them.
  /// @param value  null: not wanted
  template <class Key>
  [[nodiscard]] outcome search(position& at, bucket_type* buckets, std::optional<V>* value,
                               const Key& key, std::uint64_t hash) const {
    const std::uint64_t count = count_at(at);
    if (at.done == 0) at.reach = larger<std::uint64_t>(buckets[0].look().reach(), 1);
    at.reach = smaller(at.reach, capacity_);
    for (std::uint64_t i = 0; i < smaller(count, at.reach - at.done); ++i) {
      auto seen = buckets[i].look();
      if (!entry::holds(buckets[i], seen, key, hash)) continue;
      if (value != nullptr) static_cast<void>(entry::read_value(*value, buckets[i], seen));
      return outcome::found;
    }
    at.done += count;
    at.index = at.index + count == capacity_ ? 0 : at.index + count;
    return outcome::absent;
  }

  /// Searches the part's first block. Cost: R; more if the key's home has a long reach.
  template <class Key>
  [[nodiscard]] outcome find(std::optional<V>* value, const Key& key, std::uint64_t hash,
                             const site& where) const {
    for (position at = home(hash); !at.is_at_end();) {
      // In the record: a get that fails may still write.
      const std::size_t bytes = count_at(at) * sizeof(bucket_type);
      const runtime::awaited<fabric::operation> reading(
          bytes + alignof(bucket_type), [&](fabric::operation& done, std::byte* room) {
            runtime::get_remote(bits_of(at), aligned(room), bytes, done);
          });
      reading.wait(call_, runtime::may_run::internal, where);
      if (search(at, aligned(reading.room()), value, key, hash) == outcome::found) {
        return outcome::found;
      }
    }
    return outcome::absent;
  }

  /// True if the part has further blocks. Cost: R.
  [[nodiscard]] bool has_more() const {
    std::uint64_t next = block_link::none;
    runtime::get_remote_value(first_ - link_bytes<bucket_type>, &next, sizeof(next));
    return next > block_link::being_made;
  }

 private:
  static bucket_type* aligned(std::byte* room) noexcept {
    const auto address = reinterpret_cast<std::uintptr_t>(room);
    return reinterpret_cast<bucket_type*>(
        room + (round_up(address, std::uintptr_t{alignof(bucket_type)}) - address));
  }

  std::uint64_t first_;
  std::uint64_t capacity_;
  const char* call_;
};

}  // namespace acre::container
