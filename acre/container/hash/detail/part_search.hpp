// SPDX-License-Identifier: BSD-3-Clause
// Searches a key. The common case is inlined, so the processor overlaps successive calls.
#pragma once

#include <acre/base/bits.hpp>
#include <acre/container/hash/detail/bucket_entry.hpp>
#include <acre/container/hash/detail/part_blocks.hpp>

#include <cstdint>
#include <optional>

namespace acre::container {

template <class Types>
class part_search : public part_blocks<Types> {
  using parent = part_blocks<Types>;
  using V = typename Types::mapped_type;

 public:
  using parent::home;
  using parent::parent;
  using typename parent::bucket_type, typename parent::state;

  // `hash` is hash_of(key); Key is K or a type that Hash and Equal accept for it.

  template <class Key>
  outcome find_into(std::optional<V>& value, const Key& key, std::uint64_t hash) {
    bucket_type* const start = home(hash);
    state seen = start->look();
    if (entry::seems_to_hold(*start, seen, key, hash)) {
      if (entry::read_value(value, *start, seen)) [[likely]] {
        ++costs_.reads;
        return outcome::found;
      }
    } else if (seen.has_no_key_elsewhere() && !has_more()) {
      ++costs_.reads;
      return outcome::absent;
    }
    if constexpr (global::is_word<V>) {
      value = this->aside([key = kept_operand<Key>{key}, hash](part& view) {
        std::optional<V> met;
        view.find_somewhere(met, key.value, hash);
        return met;
      });
    } else {
      value.reset();
      this->aside([&](part& view) { return view.find_somewhere(value, key, hash); });
    }
    return value ? outcome::found : outcome::absent;
  }
  /// Stored form of the value, if present. Memory to which it refers may be free.
  template <class Key>
  [[nodiscard]] std::optional<typename Types::stored_mapped> find_stored(const Key& key,
                                                                         std::uint64_t hash) {
    bucket_type* const start = home(hash);
    for (unsigned tries = 0;; ++tries) {
      const place at = search(start, key, hash);
      if (at.where != nullptr && !at.seen.is_locked()) {
        const auto stored = at.where->value();
        if (Types::others != company::anyone || at.where->look_again() == at.seen) return stored;
      }
      if (is_surely_absent(at)) break;
      bucket_type::back_off(tries);
    }
    std::optional<typename Types::stored_mapped> stored;
    if (has_more()) [[unlikely]] {
      static_cast<void>(elsewhere([&](further_part& there) {
        stored = there.find_stored(key, hash);
        return stored ? outcome::found : outcome::absent;
      }));
    }
    return stored;
  }
  template <class Key>
  [[nodiscard]] bool contains(const Key& key, std::uint64_t hash) {
    bucket_type* const start = home(hash);
    state seen = start->look();
    const bool is_here = entry::holds(*start, seen, key, hash);
    if (is_here || (seen.has_no_key_elsewhere() && !has_more())) {
      ++costs_.reads;
      return is_here;
    }
    return this->aside([key = kept_operand<Key>{key}, hash](part& view) {
      return view.contains_somewhere(key.value, hash);
    });
  }

 protected:
  using parent::after, parent::capacity_, parent::costs_, parent::elsewhere, parent::has_more;
  using typename parent::further_part, typename parent::part;
  using entry = bucket_entry<Types>;

  /// A bucket that held the key in state `seen`; or null, and the state of the home.
  struct place {
    bucket_type* where = nullptr;
    state seen;
    std::uint64_t distance = 0;
  };

  /// A locked home may belong to an insert that has returned with stores still in flight.
  static bool is_surely_absent(const place& at) noexcept {
    return at.where == nullptr && !at.seen.is_locked();
  }

  template <class Key>
  [[nodiscard]] place search(bucket_type* start, const Key& key, std::uint64_t hash) {
    state seen = start->look();
    ++costs_.reads;
    if (entry::holds(*start, seen, key, hash)) [[likely]]
      return {start, seen, 0};
    return search_beyond(start, seen, key, hash);
  }

  template <class Key>
  [[nodiscard]] bool is_elsewhere(const Key& key, std::uint64_t hash) {
    return elsewhere([&](further_part& there) {
             return there.contains(key, hash) ? outcome::found : outcome::absent;
           }) == outcome::found;
  }

 private:
  template <class Key>
  [[nodiscard]] place search_beyond(bucket_type* start, state at_home, const Key& key,
                                    std::uint64_t hash) {
    const std::uint64_t reach = smaller(at_home.reach(), capacity_);
    bucket_type* at = start;
    for (std::uint64_t distance = 1; distance < reach; ++distance) {
      at = after(at);
      state seen = at->look();
      ++costs_.reads;
      if (entry::holds(*at, seen, key, hash)) return {at, seen, distance};
    }
    return {nullptr, at_home, 0};
  }

  template <class Key>
  bool find_somewhere(std::optional<V>& value, const Key& key, std::uint64_t hash) {
    bucket_type* const start = home(hash);
    for (unsigned tries = 0;; ++tries) {
      const place at = search(start, key, hash);
      if (is_surely_absent(at)) break;
      if (at.where != nullptr && entry::read_value(value, *at.where, at.seen)) return true;
      value.reset();
      bucket_type::back_off(tries);
    }
    if (has_more()) [[unlikely]] {
      static_cast<void>(
          elsewhere([&](further_part& there) { return there.find_into(value, key, hash); }));
    }
    return value.has_value();
  }

  template <class Key>
  [[nodiscard]] bool contains_somewhere(const Key& key, std::uint64_t hash) {
    bucket_type* const start = home(hash);
    for (unsigned tries = 0;; ++tries) {
      const place at = search(start, key, hash);
      if (at.where != nullptr) return true;
      if (is_surely_absent(at)) return has_more() && is_elsewhere(key, hash);
      bucket_type::back_off(tries);
    }
  }
};

}  // namespace acre::container
