// SPDX-License-Identifier: BSD-3-Clause
// Updates a value under the lock of the key's bucket, without its home.
#pragma once

#include <acre/container/hash/detail/part_search.hpp>
#include <acre/global/team/stored.hpp>

#include <cstdint>
#include <type_traits>

namespace acre::container {

template <class V>
struct replaced_by {
  const V& value;
  void operator()(V& old) const noexcept(std::is_nothrow_copy_assignable_v<V>) { old = value; }
};

/// Changes the form of a value in shared memory, and frees the memory that it replaces; without
/// effect if it throws.
template <class Change, class Stored>
concept change_of_stored =
    requires(const Change& change, Stored& stored) { change.change_stored(stored); };

template <class Types>
class part_update : public part_search<Types> {
  using parent = part_search<Types>;
  using K = typename Types::key_type;
  using V = typename Types::mapped_type;

 public:
  using parent::home;
  using parent::parent;
  using typename parent::bucket_type, typename parent::state;

  /// change(value) is called once, under the bucket's lock.
  template <class Change>
  outcome modify(const K& key, std::uint64_t hash, Change&& change) {
    if (modify_at_home(home(hash), key, hash, change)) [[likely]]
      return outcome::found;
    return this->aside([key = kept_operand<K>{key}, hash, &change](part& view) {
      return view.modify_from(view.home(hash), key.value, hash, change);
    });
  }

 protected:
  using parent::costs_, parent::has_more, parent::search, parent::try_lock;
  using typename parent::entry, typename parent::further_part, typename parent::part;

  /// @return false if the home did not hold the key or changed
  template <class Change>
  bool modify_at_home(bucket_type* start, const K& key, std::uint64_t hash, Change& change) {
    state seen = start->look();
    if (!entry::seems_to_hold(*start, seen, key, hash) || !try_lock(*start, seen)) return false;
    ++costs_.reads;
    replace(start, seen, change);
    return true;
  }

  template <class Change>
  outcome modify_from(bucket_type* start, const K& key, std::uint64_t hash, Change& change) {
    for (unsigned tries = 0;; ++tries) {
      const auto at = search(start, key, hash);
      if (this->is_surely_absent(at)) {
        return has_more() ? modify_elsewhere(key, hash, change) : outcome::absent;
      }
      if (at.where != nullptr && try_lock(*at.where, at.seen)) {
        replace(at.where, at.seen, change);
        return outcome::found;
      }
      bucket_type::back_off(tries);
    }
  }

 private:
  template <class Change>
  outcome modify_elsewhere(const K& key, std::uint64_t hash, Change& change) {
    return this->elsewhere([&](further_part& there) { return there.modify(key, hash, change); });
  }

  template <class Change>
  void replace(bucket_type* at, state before, Change& change) {
    ++costs_.writes;
    held_lock hold(*at, before);
    if constexpr (change_of_stored<std::remove_cvref_t<Change>, typename Types::stored_mapped>) {
      auto stored = at->value();
      change.change_stored(stored);
      at->set_value(stored);
      hold.leave(before.changed());
    } else {
      change_value(hold, at, before, change);
    }
  }
  template <class Change>
  void change_value(held_lock<bucket_type>& hold, bucket_type* at, state before, Change& change) {
    using form = typename Types::value_form;
    [[maybe_unused]] const auto old = entry::separate_value_of(*at);
    if constexpr (std::is_same_v<std::remove_cvref_t<Change>, replaced_by<V>>) {
      stored_value<V> fresh(change.value);
      at->set_value(fresh.give_away());
    } else {
      const auto stored = at->value();
      const auto& copied = form::copy(stored);
      V value = form::load(copied);
      change(value);
      stored_value<V> fresh(value);
      at->set_value(fresh.give_away());
    }
    hold.leave(before.changed());
    if constexpr (is_separate<V>) form::release(old);
  }
};

}  // namespace acre::container
