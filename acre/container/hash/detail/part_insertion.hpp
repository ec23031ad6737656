// SPDX-License-Identifier: BSD-3-Clause
// Inserts under the lock of the key's home after a search: into the first free bucket within reach,
// else into a new block.
#pragma once

#include <acre/base/bits.hpp>
#include <acre/container/hash/detail/part_update.hpp>

#include <cstdint>

namespace acre::container {

template <class Types>
class part_insertion : public part_update<Types> {
  using parent = part_update<Types>;
  using K = typename Types::key_type;
  using V = typename Types::mapped_type;

 public:
  using parent::home;
  using parent::parent;
  using typename parent::bucket_type, typename parent::state;

  /// @return found, added, no_room or no_memory
  outcome insert(const K& key, std::uint64_t hash, const V& value) {
    bucket_type* const start = home(hash);
    if (insert_at_home(start, key, hash, value)) [[likely]]
      return outcome::added;
    return this->aside(
        [key = kept_operand<K>{key}, hash, value = kept_operand<V>{value}](part& view) {
          return view.insert_somewhere(view.home(hash), key.value, hash, value.value);
        });
  }
  outcome insert(bucket_type* start, const K& key, std::uint64_t hash, const V& value) {
    if (insert_at_home(start, key, hash, value)) return outcome::added;
    return insert_somewhere(start, key, hash, value);
  }

  /// Replaces a present value by change(value), called once under the bucket's lock; else adds
  /// fresh().
  /// @return found, added, no_room or no_memory
  template <class Change, class Fresh>
  outcome upsert(const K& key, std::uint64_t hash, Change&& change, Fresh&& fresh) {
    bucket_type* const start = home(hash);
    if (this->modify_at_home(start, key, hash, change)) [[likely]]
      return outcome::found;
    return this->aside([key = kept_operand<K>{key}, hash, &change, &fresh](part& view) {
      return view.upsert(view.home(hash), key.value, hash, change, fresh);
    });
  }
  template <class Change, class Fresh>
  outcome upsert(bucket_type* start, const K& key, std::uint64_t hash, Change&& change,
                 Fresh&& fresh) {
    for (;;) {
      if (this->modify_from(start, key, hash, change) == outcome::found) [[likely]]
        return outcome::found;
      const outcome done = add(start, key, hash, fresh);
      if (done != outcome::found) return done;
    }
  }

 protected:
  using parent::after, parent::costs_, parent::has_more, parent::is_elsewhere, parent::search,
      parent::try_lock;
  using typename parent::part;

 private:
  bool insert_at_home(bucket_type* start, const K& key, std::uint64_t hash, const V& value) {
    const state seen = start->look();
    if (!seen.is_unused() || !try_lock(*start, seen)) return false;
    held_lock hold(*start, seen);
    if (has_more()) [[unlikely]]
      return false;
    fill(*start, key, value);
    hold.leave(seen.filled(hash).with_reach(1));
    return true;
  }

  outcome insert_somewhere(bucket_type* start, const K& key, std::uint64_t hash, const V& value) {
    // Apparent absence is checked again under the lock.
    if (start->look().reach() != 0 && search(start, key, hash).where != nullptr) {
      return outcome::found;
    }
    if (has_more() && is_elsewhere(key, hash)) return outcome::found;
    return add(start, key, hash, [&]() -> const V& { return value; });
  }

  template <class Fresh>
  [[gnu::noinline]] outcome add(bucket_type* start, const K& key, std::uint64_t hash,
                                Fresh&& fresh) {
    for (unsigned tries = 0;; ++tries) {
      state at_home = this->lock(*start);
      outcome done = outcome::absent;
      block_link* last = nullptr;
      {
        held_lock hold(*start, at_home);
        done = add_locked(start, at_home, key, hash, fresh, last);
        hold.leave(at_home);
      }
      if (done == outcome::no_room) done = this->make_room(last);
      if (done != outcome::absent) return done;
      bucket_type::back_off(tries);
    }
  }

  /// Runs under the lock of the home and updates `at_home`.
  /// @param last  set if all blocks are full
  /// @return absent if all free buckets were locked: retry
  template <class Fresh>
  outcome add_locked(bucket_type* start, state& at_home, const K& key, std::uint64_t hash,
                     Fresh& fresh, block_link*& last) {
    if (at_home.reach() != 0 && search(start, key, hash).where != nullptr) return outcome::found;
    if (has_more() && is_elsewhere(key, hash)) return outcome::found;
    if (!at_home.is_full()) {
      fill(*start, key, fresh());
      at_home = at_home.filled(hash).with_reach(larger<std::uint64_t>(at_home.reach(), 1));
      return outcome::added;
    }
    decltype(auto) value = fresh();
    bool may_be_free = false;
    const std::uint64_t end = this->longest_reach();
    bucket_type* at = after(start);
    for (std::uint64_t distance = 1; distance < end; ++distance, at = after(at)) {
      const state seen = at->look();
      ++costs_.reads;
      if (seen.is_full()) continue;
      if (!try_lock(*at, seen)) {
        may_be_free = true;
        continue;
      }
      held_lock hold(*at, seen);
      fill(*at, key, value);
      hold.leave(seen.filled(hash));
      if (at_home.reach() <= distance) at_home = at_home.with_reach(distance + 1);
      return outcome::added;
    }
    if (may_be_free) return outcome::absent;
    return add_elsewhere(key, hash, value, last);
  }

  outcome add_elsewhere(const K& key, std::uint64_t hash, const V& value, block_link*& last) {
    if constexpr (!parent::may_have_more) {
      return outcome::no_room;
    } else {
      last = &this->link();
      outcome met = outcome::no_room;
      for (block_link* at = last->following(); at != nullptr && met == outcome::no_room;
           at = at->following()) {
        last = at;
        auto there = this->part_in(*at);
        met = there.insert(key, hash, value);
        costs_ += there.costs();
      }
      return met;
    }
  }

  /// @throws as stored_form::store, before any change
  void fill(bucket_type& at, const K& key, const V& value) {
    stored_value<K> with_key(key);
    stored_value<V> with_value(value);
    ++costs_.writes;
    at.set_key(with_key.give_away());
    at.set_value(with_value.give_away());
  }
};

}  // namespace acre::container
