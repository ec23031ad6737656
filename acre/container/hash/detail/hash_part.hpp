// SPDX-License-Identifier: BSD-3-Clause
// One rank's part of a hash map: open addressing in an array of buckets that
// all threads of the node's ranks may use at once. No communication here.
//
// A hash is a fraction of the part: the home of a key is bucket floor(hash ×
// capacity), so the order of the homes is the order of the hashes, whatever the
// capacity, and growing is one pass from left to right over old and new array.
// A key lives at its home or at the next free bucket after it (wrapping around).
//
// Each home knows its reach: how many buckets, from itself on, may hold keys of
// this home. A search looks at no more than these. So a miss costs O(1) however
// many keys have come and gone, and a bucket that was erased is free for any
// key at once: there are no tombstones.
//
// No reach is longer than `most_reach`: a key that finds no free bucket within
// it is refused. So a part of up to so many buckets takes keys until its last
// bucket is full; a larger one is full a little before that (not before
// four fifths, when the hashes are good), and then, too, a search and an insert
// that is refused cost no more than the longest reach.
//
// The rules that make it right while others do the same (the words are
// explained in bucket.hpp):
//
//  - Keys do not move. A key that is there during all of a search is found: its
//    bucket lies within the reach that its home shows, for the reach is raised
//    before the insert returns. A search that finds nothing had a moment at
//    which the key was absent.
//  - A key is added only under the lock of its home, after a search: so never twice.
//  - The holder of a home's lock never waits for another bucket, it only tries:
//    no deadlock. A free bucket that is locked by another is passed over.
//  - Updates and erasures need no home: they change the bucket from a state in
//    which it held the key.
//  - A reach shrinks when the farthest key of the home is erased, under the
//    home's lock, to the farthest that is left.
//
// A part may have further blocks (block_chain.hpp), each with homes and reaches of its own.
// A key that is not found in the first is looked for in those, in their order. Then:
//
//  - A key is added, to whichever block, only under the lock of its home in the first, after
//    a search of all: so never twice. It goes to the first block that has room.
//  - A search that finds nothing had a moment at which the key was absent: a key that is there
//    all the time stays in one block, and the search of that block finds it. One that was
//    erased from a block and added to another was absent in between.
//  - The holder of a home's lock in the first may wait for one in a further block, whose holders
//    wait for none: no deadlock. A block is made when no lock is held.
//
// User code under a lock (equality, the function of an update) may throw: the
// lock is released and nothing has changed. It must not call Acre: progress made
// there could meet the same lock. An operation of such code that meets
// a lock, which may be its own, is an error instead of a wait.
//
// Keys and values lie as stored.hpp states. The guarantees of an operation (guarantee.hpp)
// decide which of these precautions are in its code.
//
// A part is made of classes of one idea each, each a parent of the next:
//
//     part_view       the buckets of one block, and their locks
//     part_blocks     the further blocks
//     part_search     finding a key          (bucket_entry: the key and value in a bucket)
//     part_update     changing a value
//     part_insertion  adding a key
//     part_erasure    erasing a key
#pragma once

#include <acre/container/hash/detail/part_erasure.hpp>

#include <cstdint>
#include <optional>

namespace acre::container {

/// Operations on one key come from its bases; here are those on all entries.
template <class K, class V, class Hash, class Equal, company Others, blocks Seen>
class hash_part final : public part_erasure<part_types<K, V, Hash, Equal, Others, Seen>> {
  using types = part_types<K, V, Hash, Equal, Others, Seen>;
  using parent = part_erasure<types>;
  using parent::after, parent::capacity_, parent::first_, parent::for_each_further;
  using typename parent::entry, typename parent::further_part;

 public:
  using parent::parent, parent::home;
  using typename parent::bucket_type;

  /// Calls f(key, value) for each entry, with copies that are of one moment
  /// each; while others insert, an entry may or may not be seen.
  template <class F>
  void for_each(F&& f) const {
    for (bucket_type& each : this->buckets()) entry::visit(each, f);
    for_each_further([&](const further_part& there) {
      there.for_each(f);
      return true;
    });
  }

  /// The same for one bucket, of those of all blocks.
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

  /// Frees the blocks that the entries of a part refer to. The part is not used any more.
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

  /// Copies all entries to a part that is empty, into one block. Neither has other users now, so it
  /// takes no locks.
  /// @return how many they are; nothing when they do not fit
  template <class Target>
  std::optional<std::uint64_t> copy_to(Target& target) const {
    using form = stored_form<K>;
    // From the first free bucket on: then no row of full buckets is cut in two,
    // and each key finds a free bucket as near to its home as it did here.
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

  /// Adds a key that is not there to a part of one block that has no other users.
  /// @return whether there was room
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
