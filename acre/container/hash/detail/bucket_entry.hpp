// SPDX-License-Identifier: BSD-3-Clause
// The key and the value in a bucket, read while others may change them: each copy is of one moment,
// which the state word tells (bucket.hpp).
#pragma once

#include <acre/container/hash.hpp>
#include <acre/container/hash/detail/part_types.hpp>

#include <cstdint>
#include <optional>
#include <type_traits>

namespace acre::container {

/// Whether bytes may be compared that are no key of the user's: the comparison is not the user's
/// either.
template <class K, class Equal>
inline constexpr bool compares_anything =
    (std::is_arithmetic_v<K> || std::is_pointer_v<K>) && global::is_word<K> &&
    std::is_same_v<Equal, equal_by_operator>;

template <class Types>
class bucket_entry {
  using K = typename Types::key_type;
  using V = typename Types::mapped_type;
  using equal = typename Types::key_equal;
  using key_form = typename Types::key_form;
  using value_form = typename Types::value_form;
  using stored_key = typename Types::stored_key;
  using stored_mapped = typename Types::stored_mapped;
  using bucket_type = typename Types::bucket_type;
  using state = typename bucket_type::state;
  static constexpr bool may_change = Types::others == company::anyone;

 public:
  /// For callers that look at the state once more, or change it from `seen`: whether the bucket
  /// holds the key, if it still has this state then. If not, it did not hold it all the time.
  template <class Key>
  static bool seems_to_hold(bucket_type& at, state& seen, const Key& key, std::uint64_t hash) {
    if constexpr (compares_anything<K, equal>) {
      // Costs less than the tag; and that it differs is foreseen better than that it is empty.
      const bool is_equal = equal{}(at.key(), key);
      return (static_cast<int>(is_equal) & static_cast<int>(seen.is_full())) != 0;
    } else {
      return holds(at, seen, key, hash);
    }
  }

  /// Whether the bucket holds the key; `seen` becomes the state of which this is the truth.
  template <class Key>
  static bool holds(bucket_type& at, state& seen, const Key& key, std::uint64_t hash) {
    for (;;) {
      if constexpr (compares_anything<K, equal> && !may_change) {
        return seems_to_hold(at, seen, key, hash);
      }
      if (!seen.may_hold(hash)) return false;
      const stored_key there = at.key();
      if constexpr (!may_change) {
        return equal{}(key_form::load(key_form::copy(there)), key);
      } else if constexpr (global::is_word<stored_key>) {
        if (!equal{}(key_form::load(there), key)) return false;
        // It may be on its way into the bucket, and not be there yet.
        const state now = at.look_again();
        if (now.same_content(seen)) return true;
        seen = now;
      } else {
        // User code sees keys that were put in, never halves of two.
        state now = at.look_again();
        if (now.same_content(seen)) {
          if constexpr (!is_separate<K>) {
            return equal{}(key_form::load(there), key);
          } else {
            const auto copied = key_form::copy(there);
            now = at.look_again();
            if (now.same_content(seen)) return equal{}(key_form::load(copied), key);
          }
        }
        seen = now;
      }
    }
  }

  /// The value of a bucket that held the key when its state was `seen`.
  /// @return whether that is still so; else the value is rubbish
  [[nodiscard]] static bool read_value(std::optional<V>& value, bucket_type& at,
                                       const state& seen) {
    if constexpr (storage_of<V> == storage::direct) {
      // The holder of the lock may have returned already, with the value still on its way here.
      if (may_change && seen.is_locked()) return false;
      if constexpr (!global::is_word<V> && std::is_trivially_default_constructible_v<V>) {
        at.read_value(value.emplace());  // one copy, right to where it is wanted
      } else {
        value.emplace(at.value());
      }
      if constexpr (!may_change) return true;
      const state now = at.look_again();
      return global::is_word<V> ? now.same_content(seen) : now == seen;
    } else {
      const stored_mapped stored = at.value();
      if (may_change && !(seen.is_settled() && at.look_again() == seen)) return false;
      const auto& copied = value_form::copy(stored);
      if (is_separate<V> && may_change && at.look_again() != seen) return false;
      value.emplace(value_form::load(copied));
      return true;
    }
  }

  /// Calls f(key, value) with copies of one moment, if the bucket is full.
  template <class F>
  static void visit(bucket_type& at, F&& f) {
    for (unsigned tries = 0;; ++tries) {
      const state seen = at.look();
      if (!seen.is_full()) return;
      if (seen.is_settled()) {
        const stored_key key = at.key();
        const stored_mapped value = at.value();
        if (at.look_again() == seen) {
          if constexpr (!is_separate<K> && !is_separate<V>) {
            f(key_form::load(key), value_form::load(value));
            return;
          } else {
            const auto& key_copy = key_form::copy(key);
            const auto& value_copy = value_form::copy(value);
            if (at.look_again() == seen) {
              f(key_form::load(key_copy), value_form::load(value_copy));
              return;
            }
          }
        }
      }
      bucket_type::back_off(tries);
    }
  }

  // --- the blocks of the private heaps that an entry refers to --------------------------------

  struct nothing_separate {};
  struct separate_entry {
    stored_key key;
    stored_mapped value;
  };
  static auto separate_entry_of(bucket_type& at) noexcept {
    if constexpr (is_separate<K> || is_separate<V>) {
      return separate_entry{at.key(), at.value()};
    } else {
      return nothing_separate{};
    }
  }
  static auto separate_value_of(bucket_type& at) noexcept {
    if constexpr (is_separate<V>) {
      return at.value();
    } else {
      return nothing_separate{};
    }
  }
  static void release(const separate_entry& entry) noexcept {
    key_form::release(entry.key);
    value_form::release(entry.value);
  }
  static void release(nothing_separate) noexcept {}
};

}  // namespace acre::container
