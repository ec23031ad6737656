// SPDX-License-Identifier: BSD-3-Clause
// Bucket of a hash map: state word, key and value, shared by all threads of a node.
//
// State, from the low end:
//
//   locked   held by a writer
//   full     holds a key and its value
//   reach    number of buckets, from here on, that may hold keys with this home
//   tag      16 bits of the hash (64-bit states)
//   version  incremented at every change of key or value
//
// An unlocked state changes by compare-and-swap only, a locked one by a store of the lock holder.
// Only the holder writes key and value, the key only while `full` is clear. Hence:
//
// - Compare-and-swap from a state seen with a key fails if the key has gone: no lost update.
// - A copy is consistent if `full` and version are unchanged afterwards (seqlock): 36 bits of
// version, or 20 in 32-bit states, whose values are one word and cannot tear.
#pragma once

#include <acre/base/spin_lock.hpp>
#include <acre/global/memory/direct_access.hpp>
#include <acre/runtime/running_code.hpp>

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <type_traits>
#include <unistd.h>

namespace acre::container {

template <class Word>
class bucket_state {
 public:
  constexpr bucket_state() noexcept = default;
  explicit constexpr bucket_state(Word bits) noexcept : bits_(bits) {}

  [[nodiscard]] constexpr Word bits() const noexcept { return bits_; }
  [[nodiscard]] constexpr bool is_locked() const noexcept { return (bits_ & locked) != 0; }
  [[nodiscard]] constexpr bool is_full() const noexcept { return (bits_ & full) != 0; }
  [[nodiscard]] constexpr bool is_settled() const noexcept {
    return (bits_ & (full | locked)) == full;
  }

  /// Empty, unlocked, and no bucket holds a key of this home.
  [[nodiscard]] constexpr bool is_unused() const noexcept {
    return (bits_ & (locked | full | reach_mask)) == 0;
  }
  /// Unlocked, and no other bucket can hold a key of this home.
  [[nodiscard]] constexpr bool has_no_key_elsewhere() const noexcept {
    constexpr Word reach_of_one = Word{1} << reach_shift;
    return (bits_ & (locked | (reach_mask & ~reach_of_one))) == 0;
  }

  [[nodiscard]] constexpr bucket_state with_lock() const noexcept {
    return bucket_state(bits_ | locked);
  }
  [[nodiscard]] constexpr bucket_state changed() const noexcept {
    return bucket_state(bits_ + version_one);
  }
  [[nodiscard]] constexpr bucket_state filled(std::uint64_t hash) const noexcept {
    Word bits = static_cast<Word>(bits_ | full);
    if constexpr (has_tag) bits = (bits & ~tag_mask) | tag_of(hash);
    return bucket_state(static_cast<Word>(bits + version_one));
  }
  [[nodiscard]] constexpr bucket_state emptied() const noexcept {
    return bucket_state(static_cast<Word>((bits_ & ~full) + version_one));
  }

  [[nodiscard]] constexpr std::uint64_t reach() const noexcept {
    const unsigned code = bits_ >> reach_shift & reach_codes;
    if (code < exact) [[likely]]
      return code;
    return std::uint64_t{exact} << (code - exact);
  }
  /// Rounds reaches above `exact` up.
  [[nodiscard]] constexpr bucket_state with_reach(std::uint64_t buckets) const noexcept {
    const auto code = static_cast<Word>(
        buckets < exact ? buckets
                        : exact + static_cast<unsigned>(std::bit_width((buckets - 1) / exact)));
    return bucket_state(static_cast<Word>((bits_ & ~reach_mask) | code << reach_shift));
  }

  [[nodiscard]] constexpr bool same_content(bucket_state before) const noexcept {
    return ((bits_ ^ before.bits_) & content_mask) == 0;
  }
  [[nodiscard]] constexpr bool may_hold(std::uint64_t hash) const noexcept {
    if constexpr (has_tag) {
      return (bits_ & (full | tag_mask)) == (full | tag_of(hash));
    } else {
      return is_full();
    }
  }

  friend constexpr bool operator==(bucket_state, bucket_state) noexcept = default;

 private:
  static constexpr bool has_tag = sizeof(Word) == 8;
  static constexpr Word locked = 1;
  static constexpr Word full = 2;
  static constexpr unsigned reach_shift = 2;
  static constexpr unsigned reach_codes = 1023;
  static constexpr unsigned exact = 512;
  static constexpr Word reach_mask = Word{reach_codes} << reach_shift;
  static constexpr unsigned tag_shift = 12;
  static constexpr unsigned tag_bits = has_tag ? 16 : 0;
  static constexpr Word tag_mask = ((Word{1} << tag_bits) - 1) << tag_shift;
  static constexpr Word version_one = Word{1} << (tag_shift + tag_bits);
  static constexpr Word content_mask = static_cast<Word>(~(locked | reach_mask));

  static constexpr Word tag_of(std::uint64_t hash) noexcept {
    return static_cast<Word>(hash & 0xffff) << tag_shift;
  }

  Word bits_ = 0;
};

template <class Word, class First, class Second>
struct bucket_layout {
  Word state;
  alignas(First) std::byte first[sizeof(First)];
  alignas(Second) std::byte second[sizeof(Second)];
};

template <class Word, class K, class V>
using bucket_fields = std::conditional_t<alignof(V) <= alignof(K), bucket_layout<Word, V, K>,
                                         bucket_layout<Word, K, V>>;

/// Keys that must not be read if the tag differs.
template <class K>
concept needs_tag = requires { typename K::needs_tag; };

/// Saves memory for short keys and one-word values.
template <class K, class V>
inline constexpr bool has_small_state =
    global::is_word<V> && sizeof(K) <= 16 && !needs_tag<K> &&
    sizeof(bucket_fields<std::uint32_t, K, V>) < sizeof(bucket_fields<std::uint64_t, K, V>);
template <class K, class V>
using bucket_word = std::conditional_t<has_small_state<K, V>, std::uint32_t, std::uint64_t>;

/// Zeroed memory is an empty bucket.
template <class K, class V>
class bucket {
 public:
  using word = bucket_word<K, V>;
  using state = bucket_state<word>;

  [[nodiscard]] state look() noexcept {
    return state(std::atomic_ref(fields_.state).load(std::memory_order_acquire));
  }
  [[nodiscard]] state look_again() noexcept {
    std::atomic_thread_fence(std::memory_order_acquire);
    return state(std::atomic_ref(fields_.state).load(std::memory_order_relaxed));
  }

  [[nodiscard]] bool try_change(state seen, state next) noexcept {
    word expected = seen.bits();
    return std::atomic_ref(fields_.state)
        .compare_exchange_strong(expected, next.bits(), std::memory_order_acq_rel,
                                 std::memory_order_relaxed);
  }
  [[nodiscard]] bool try_lock(state seen) noexcept {
    if (seen.is_locked() || !try_change(seen, seen.with_lock())) return false;
    // Later writes must not become visible before the lock.
    std::atomic_thread_fence(std::memory_order_release);
    return true;
  }
  /// Returns the state before. May wait for a user function or a descheduled holder.
  /// @throws acre::error as back_off()
  [[nodiscard]] state lock() {
    for (unsigned tries = 0;; ++tries) {
      const state seen = look();
      if (try_lock(seen)) return seen;
      back_off(tries);
    }
  }
  void unlock(state next) noexcept {
    std::atomic_ref(fields_.state).store(next.bits(), std::memory_order_release);
  }

  [[nodiscard]] K key() noexcept { return global::load_direct<K>(key_bytes()); }
  [[nodiscard]] V value() noexcept { return global::load_direct<V>(value_bytes()); }
  void read_value(V& target) noexcept { std::memcpy(&target, value_bytes(), sizeof(V)); }
  void set_key(const K& key) noexcept { global::store_direct(key_bytes(), key); }
  void set_value(const V& value) noexcept { global::store_direct(value_bytes(), value); }

  /// @throws acre::error if this thread holds a bucket lock
  static void back_off(unsigned tries) {
    runtime::require_may_wait("hash_map");
    if (tries < 64) {
      spin_pause();
    } else if (tries < 4096) {
      ::sched_yield();
    } else {
      ::usleep(50);
    }
  }

 private:
  static constexpr bool value_first = alignof(V) <= alignof(K);

  [[nodiscard]] std::byte* key_bytes() noexcept {
    return value_first ? fields_.second : fields_.first;
  }
  [[nodiscard]] std::byte* value_bytes() noexcept {
    return value_first ? fields_.first : fields_.second;
  }

  bucket_fields<word, K, V> fields_;
};

}  // namespace acre::container
