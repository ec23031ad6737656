// SPDX-License-Identifier: BSD-3-Clause
// Erases a key, also depending on its value, and shrinks its home's reach.
#pragma once

#include <acre/base/bits.hpp>
#include <acre/container/hash/detail/part_insertion.hpp>
#include <acre/runtime/running_code.hpp>

#include <cstdint>

namespace acre::container {

template <class Types>
class part_erasure : public part_insertion<Types> {
  using parent = part_insertion<Types>;

 public:
  using parent::home;
  using parent::parent;
  using typename parent::bucket_type, typename parent::state;

  template <class Key>
  bool erase(const Key& key, std::uint64_t hash) {
    bucket_type* const start = home(hash);
    state seen = start->look();
    if (entry::seems_to_hold(*start, seen, key, hash) && try_empty(start, {start, seen, 0}))
        [[likely]] {
      ++costs_.reads;
      return true;
    }
    return this->aside([key = kept_operand<Key>{key}, hash](part& view) {
      return view.erase_somewhere(key.value, hash);
    });
  }

  /// Calls change(stored value) once under the bucket's lock; erases the key if it returns false.
  /// @param change  frees the memory that it replaces; without effect if it throws
  /// @return absent, found or erased
  template <class Key, class Change>
  outcome change_or_erase(const Key& key, std::uint64_t hash, Change&& change) {
    bucket_type* const start = home(hash);
    for (unsigned tries = 0;; ++tries) {
      const place at = this->search(start, key, hash);
      if (this->is_surely_absent(at)) {
        return has_more() ? this->elsewhere([&](further_part& there) {
          return there.change_or_erase(key, hash, change);
        })
                          : outcome::absent;
      }
      if (at.where == nullptr || at.seen.is_locked()) {
        bucket_type::back_off(tries);
        continue;
      }
      // Before any change, as shrink_reach() may wait.
      if (at.distance != 0) runtime::require_may_wait("hash_map");
      if (!this->try_lock(*at.where, at.seen)) continue;
      if (change_locked(start, at, change)) return outcome::found;
      if (at.distance != 0) shrink_reach(start, at.distance + 1);
      return outcome::erased;
    }
  }

 protected:
  using parent::after, parent::capacity_, parent::costs_, parent::has_more;
  using typename parent::entry, typename parent::further_part, typename parent::part,
      typename parent::place;

 private:
  template <class Key>
  bool erase_somewhere(const Key& key, std::uint64_t hash) {
    bucket_type* const start = home(hash);
    for (unsigned tries = 0;; ++tries) {
      const place at = this->search(start, key, hash);
      if (this->is_surely_absent(at)) return has_more() && erase_elsewhere(key, hash);
      if (at.seen.is_locked()) {
        bucket_type::back_off(tries);
        continue;
      }
      // Before any change, as shrink_reach() may wait.
      if (at.distance != 0) runtime::require_may_wait("hash_map");
      if (!try_empty(start, at)) continue;
      if (at.distance != 0) shrink_reach(start, at.distance + 1);
      return true;
    }
  }
  template <class Key>
  [[nodiscard]] bool erase_elsewhere(const Key& key, std::uint64_t hash) {
    return this->elsewhere([&](further_part& there) {
      return there.erase(key, hash) ? outcome::erased : outcome::absent;
    }) == outcome::erased;
  }

  /// @return false if erased
  template <class Change>
  bool change_locked(bucket_type* start, const place& at, Change& change) {
    ++costs_.writes;
    const auto key = entry::separate_key_of(*at.where);
    {
      held_lock hold(*at.where, at.seen);
      auto stored = at.where->value();
      if (change(stored)) {
        at.where->set_value(stored);
        hold.leave(at.seen.changed());
        return true;
      }
      hold.leave(emptied(start, at));
    }
    // Not under the lock: readers compare keys of locked buckets.
    entry::release_key(key);
    return false;
  }

  static state emptied(const bucket_type* start, const place& at) noexcept {
    const state next = at.seen.emptied();
    return at.where == start && next.reach() == 1 ? next.with_reach(0) : next;
  }

  /// Fails if the bucket has changed.
  bool try_empty(bucket_type* start, const place& at) {
    if (at.seen.is_locked()) return false;
    // Valid if the change from `seen` succeeds.
    [[maybe_unused]] const auto separate = entry::separate_entry_of(*at.where);
    if (!this->try_change(*at.where, at.seen, emptied(start, at))) return false;
    entry::release(separate);
    return true;
  }

  void shrink_reach(bucket_type* start, std::uint64_t farthest) {
    if (start->look().reach() > state().with_reach(farthest).reach()) return;
    const state before = this->lock(*start);
    held_lock hold(*start, before);
    try {
      hold.leave(before.with_reach(reach_of_keys(start, before.reach())));
    } catch (...) {
      // Throwing hash function: a long reach costs only time.
    }
  }

  /// Needs the home's lock.
  [[nodiscard]] std::uint64_t reach_of_keys(bucket_type* start, std::uint64_t at_most) const {
    using form = typename Types::key_form;
    std::uint64_t reach = 0;
    bucket_type* at = start;
    const std::uint64_t end = smaller(at_most, capacity_);
    for (std::uint64_t distance = 0; distance != end; ++distance, at = after(at)) {
      for (unsigned tries = 0;; ++tries) {
        const state seen = at->look();
        if (!seen.is_full()) break;
        const auto key = at->key();
        if (!at->look_again().same_content(seen)) {
          bucket_type::back_off(tries);
          continue;
        }
        const auto& copied = form::copy(key);
        if (is_separate<typename Types::key_type> && !at->look_again().same_content(seen)) {
          bucket_type::back_off(tries);
          continue;
        }
        if (home(this->hash_of(form::load(copied))) == start) reach = distance + 1;
        break;
      }
    }
    return reach;
  }
};

}  // namespace acre::container
