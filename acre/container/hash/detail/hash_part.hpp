// SPDX-License-Identifier: BSD-3-Clause
// A rank's part of a hash map: open addressing with linear probing, used by all threads of the
// node.
//
// A key's home is bucket floor(hash × capacity), the hash being a fraction of the part: homes are
// ordered as hashes, so growing is one pass. A key resides at its home or in the next free bucket,
// wrapping around.
//
// A home's reach is the number of buckets from it on that may hold its keys. Searches stop there: a
// miss costs O(1) after any erasures, without tombstones. Keys without a free bucket within
// `most_reach` are refused; with good hashes not before load 0.8.
//
// Concurrency (terms in bucket.hpp):
//
// - Keys do not move. A key present throughout a search is found, as its reach is raised before the
// insert returns. A failed search had a moment without the key.
// - A key is added only under the lock of its home, after a search: never twice.
// - The holder of a home's lock only tries other locks, skipping locked buckets: no deadlock.
// - Updates and erasures change a bucket from a state in which it held the key, without its home.
// - A reach above 1 shrinks under the home's lock, after its farthest key is erased.
//
// Further blocks (block_chain.hpp) have homes and reaches of their own:
//
// - A key is added to the first block with room, under the lock of its home in the first block,
// after a search of all.
// - A failed search had a moment without the key, as keys stay in their blocks; one erased and
// added elsewhere was absent in between.
// - A holder of a home's lock in the first block may wait for one in a further block, whose holders
// do not wait: no deadlock.
//
// User code under a lock may throw: the lock is released, the part unchanged. It must not call
// Acre: operations there that meet a lock throw.
#pragma once

#include <acre/container/hash/detail/part_erasure.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace acre::container {

template <class K, class V, class Hash, class Equal, company Others, blocks Seen>
class hash_part final : public part_erasure<part_types<K, V, Hash, Equal, Others, Seen>> {
  using types = part_types<K, V, Hash, Equal, Others, Seen>;
  using parent = part_erasure<types>;
  using parent::after, parent::capacity_, parent::first_, parent::for_each_further;
  using typename parent::entry, typename parent::further_part;

 public:
  using parent::parent, parent::home;
  using typename parent::bucket_type;

  /// Calls f(key, value) with consistent copies. Concurrent inserts may be missed.
  template <class F>
  void for_each(F&& f) const {
    for (bucket_type& each : this->buckets()) entry::visit(each, f);
    for_each_further([&](const further_part& there) {
      there.for_each(f);
      return true;
    });
  }

  /// As for_each(), with stored forms of values. Memory to which they refer may be free.
  template <class F>
  void for_each_stored(F&& f) const {
    for (bucket_type& each : this->buckets()) entry::visit_stored(each, f);
    for_each_further([&](const further_part& there) {
      there.for_each_stored(f);
      return true;
    });
  }

  /// Calls f(number of buckets from the home to that of the key) for each entry.
  template <class F>
  void for_each_reach(F&& f) const {
    for (bucket_type& each : this->buckets()) {
      entry::visit(each, [&](const K& key, const V&) {
        const bucket_type* const start = home(this->hash_of(key));
        const std::ptrdiff_t distance = &each - start;
        f(static_cast<std::uint64_t>(distance) + (distance < 0 ? capacity_ : 0) + 1);
      });
    }
    for_each_further([&](const further_part& there) {
      there.for_each_reach(f);
      return true;
    });
  }

  template <class F>
  void visit(std::uint64_t bucket, F&& f) const {
    if (bucket < capacity_) return entry::visit(first_[bucket], f);
    bucket -= capacity_;
    for_each_further([&](const further_part& there) {
      const bool is_there = bucket < there.capacity();
      if (is_there) there.visit(bucket, f);
      bucket -= there.capacity();
      return !is_there;
    });
  }

  void release_all() noexcept {
    if constexpr (is_separate<K> || is_separate<V>) {
      for (bucket_type& each : this->buckets()) {
        if (each.look().is_full()) entry::release(entry::separate_entry_of(each));
      }
      for_each_further([](further_part there) {
        there.release_all();
        return true;
      });
    }
  }

  /// Copies all entries into one block of an empty part. No other users: no locks.
  /// @return number of entries; no value if they do not fit
  template <class Target>
  std::optional<std::uint64_t> copy_to(Target& target) const {
    using form = stored_form<K>;
    // Starts at a free bucket, so that no contiguous run is split.
    bucket_type* start = first_;
    while (start != first_ + capacity_ && start->look().is_full()) ++start;
    std::uint64_t entries = 0;
    bucket_type* at = start == first_ + capacity_ ? first_ : start;
    for (std::uint64_t left = capacity_; left != 0; --left, at = after(at)) {
      if (!at->look().is_full()) continue;
      const auto key = at->key();
      const std::uint64_t hash = target.hash_of(form::load(form::copy(key)));
      if (!target.add_alone(key, hash, at->value())) return std::nullopt;
      ++entries;
    }
    bool fit = true;
    for_each_further([&](further_part there) {
      const auto more = there.copy_to(target);
      fit = more.has_value();
      entries += more.value_or(0);
      return fit;
    });
    return fit ? std::optional(entries) : std::nullopt;
  }

  /// Adds an absent key to one block without other users.
  /// @return false if full
  bool add_alone(const stored_t<K>& key, std::uint64_t hash, const stored_t<V>& value) noexcept {
    bucket_type* const start = home(hash);
    const std::uint64_t end = this->longest_reach();
    std::uint64_t distance = 0;
    bucket_type* at = start;
    for (; at->look().is_full(); at = after(at)) {
      if (++distance >= end) return false;
    }
    at->set_key(key);
    at->set_value(value);
    at->unlock(at->look().filled(hash));
    if (start->look().reach() <= distance) start->unlock(start->look().with_reach(distance + 1));
    return true;
  }
};

}  // namespace acre::container
