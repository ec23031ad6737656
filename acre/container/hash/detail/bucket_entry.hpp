// SPDX-License-Identifier: BSD-3-Clause
// Reads a bucket's key and value while others may change them.
#pragma once

#include <acre/container/hash.hpp>
#include <acre/container/hash/detail/part_types.hpp>

#include <atomic>
#include <cstdint>
#include <optional>
#include <type_traits>

namespace acre::container {

/// Keys whose bytes may be compared even while they change.
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
  /// True if the bucket holds the key while its state is `seen`, which the caller verifies. False:
  /// the key was absent at some moment.
  template <class Key>
  static bool seems_to_hold(bucket_type& at, state& seen, const Key& key, std::uint64_t hash) {
    if constexpr (compares_anything<K, equal>) {
      const bool is_equal = equal{}(at.key(), key);
      return (static_cast<int>(is_equal) & static_cast<int>(seen.is_full())) != 0;
    } else {
      return holds(at, seen, key, hash);
    }
  }

  /// True if the bucket holds the key in state `seen`, which is updated.
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
        // The key may still be incomplete.
        const state now = at.look_again();
        if (now.same_content(seen)) return true;
        seen = now;
      } else {
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

  /// Copies the value of a bucket that held the key in state `seen`.
  /// @return false if the state has changed: invalid value
  [[nodiscard]] static bool read_value(std::optional<V>& value, bucket_type& at,
                                       const state& seen) {
    if constexpr (storage_of<V> == storage::direct) {
      // The holder may have released the lock with stores still in flight.
      if (may_change && seen.is_locked()) return false;
      if constexpr (!global::is_word<V> && std::is_trivially_default_constructible_v<V>) {
        at.read_value(value.emplace());
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

  /// Calls f(key, value) with a consistent copy, if full.
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

  /// Calls f(stored form of the value), if full. Memory to which it refers may be free.
  template <class F>
  static void visit_stored(bucket_type& at, F&& f) {
    for (unsigned tries = 0;; ++tries) {
      const state seen = at.look();
      if (!seen.is_full()) return;
      if (seen.is_settled()) {
        const stored_mapped value = at.value();
        if (at.look_again() == seen) return f(value);
      }
      bucket_type::back_off(tries);
    }
  }

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
  static auto separate_key_of(bucket_type& at) noexcept {
    if constexpr (is_separate<K>) {
      return at.key();
    } else {
      return nothing_separate{};
    }
  }
  static void release_key(const stored_key& key) noexcept {
    std::atomic_thread_fence(std::memory_order_release);
    key_form::release(key);
  }
  static void release_key(nothing_separate) noexcept {}
  static void release(const separate_entry& entry) noexcept {
    // Writes to the freed blocks must not become visible before the change of the state.
    std::atomic_thread_fence(std::memory_order_release);
    key_form::release(entry.key);
    value_form::release(entry.value);
  }
  static void release(nothing_separate) noexcept {}
};

}  // namespace acre::container
