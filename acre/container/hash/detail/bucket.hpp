// SPDX-License-Identifier: BSD-3-Clause
// A bucket of the hash map: a state word, a key and a value, read and written
// by the threads of all ranks of a node at once.
//
// The state word has these fields, from the low end:
//
//   locked   somebody may change the rest of the bucket; nobody else does
//   full     the bucket holds a key and its value
//   reach    for the keys whose home this bucket is (not the key in it): how many
//            buckets from here on may hold one of them
//   tag      16 bits of the key's hash, in wide buckets only
//   version  grows with every change of key or value
//
// Who writes what: the state word changes from an unlocked value by
// compare-and-swap only, and from a locked one by a store of the one who locked
// it. Key and value are written by the one who holds the lock, the key only
// while `full` is not set. So
//
//  - a change by compare-and-swap from the value that was seen with a key knows
//    that this key is still in the bucket: no update is lost or hits another key;
//  - a reader copies, and looks at the state word again: when `full` and the
//    version are as before, the copy is of one moment (a seqlock). The version
//    of a wide value has 36 bits; one of 20 goes with values that fit into a
//    word and so cannot be seen half-written in any case;
//  - the lock of a bucket that is also the home of a key keeps other ranks from
//    adding that key (hash_part.hpp).
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

/// A value of the state word.
template <class Word>
class bucket_state {
 public:
  constexpr bucket_state() noexcept = default;
  explicit constexpr bucket_state(Word bits) noexcept : bits_(bits) {}

  [[nodiscard]] constexpr Word bits() const noexcept { return bits_; }
  [[nodiscard]] constexpr bool is_locked() const noexcept { return (bits_ & locked) != 0; }
  [[nodiscard]] constexpr bool is_full() const noexcept { return (bits_ & full) != 0; }
  /// Whether it is full and nobody is changing it.
  [[nodiscard]] constexpr bool is_settled() const noexcept {
    return (bits_ & (full | locked)) == full;
  }

  /// Whether it is empty, nobody is changing it, and no bucket holds a key of this home.
  [[nodiscard]] constexpr bool is_unused() const noexcept {
    return (bits_ & (locked | full | reach_mask)) == 0;
  }
  /// Whether no other bucket than this one can hold a key of this home, and nobody is about to
  /// add one.
  [[nodiscard]] constexpr bool has_no_key_elsewhere() const noexcept {
    constexpr Word reach_of_one = Word{1} << reach_shift;
    return (bits_ & (locked | (reach_mask & ~reach_of_one))) == 0;
  }

  [[nodiscard]] constexpr bucket_state with_lock() const noexcept {
    return bucket_state(bits_ | locked);
  }
  /// After a change of the value.
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

  /// The number of buckets, from this one on, among which the keys of this home are.
  [[nodiscard]] constexpr std::uint64_t reach() const noexcept {
    const unsigned code = bits_ >> reach_shift & reach_codes;
    if (code < exact) [[likely]]
      return code;
    return std::uint64_t{exact} << (code - exact);
  }
  /// Far reaches are rounded up to a power of two.
  [[nodiscard]] constexpr bucket_state with_reach(std::uint64_t buckets) const noexcept {
    const auto code = static_cast<Word>(
        buckets < exact ? buckets
                        : exact + static_cast<unsigned>(std::bit_width((buckets - 1) / exact)));
    return bucket_state(static_cast<Word>((bits_ & ~reach_mask) | code << reach_shift));
  }

  /// Whether key and value are the same as in a state seen before.
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
  static constexpr unsigned exact = 512;  ///< reaches below are stored as they are
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

/// The smaller alignment beside the state word: 16 bytes for a key of 8 and a value of 4.
template <class Word, class K, class V>
using bucket_fields = std::conditional_t<alignof(V) <= alignof(K), bucket_layout<Word, V, K>,
                                         bucket_layout<Word, K, V>>;

/// A key that must not be looked at when a tag tells that it is another one.
template <class K>
concept needs_tag = requires { typename K::needs_tag; };

/// 32 bits of state where they save memory and do: the key is short, the value a word.
template <class K, class V>
inline constexpr bool has_small_state =
    global::is_word<V> && sizeof(K) <= 16 && !needs_tag<K> &&
    sizeof(bucket_fields<std::uint32_t, K, V>) < sizeof(bucket_fields<std::uint64_t, K, V>);
template <class K, class V>
using bucket_word = std::conditional_t<has_small_state<K, V>, std::uint32_t, std::uint64_t>;

/// Memory that is all zero is an empty bucket.
template <class K, class V>
class bucket {
 public:
  using word = bucket_word<K, V>;
  using state = bucket_state<word>;

  [[nodiscard]] state look() noexcept {
    return state(std::atomic_ref(fields_.state).load(std::memory_order_acquire));
  }
  /// After copying key or value: whether the copy is of one moment is seen from the result.
  [[nodiscard]] state look_again() noexcept {
    std::atomic_thread_fence(std::memory_order_acquire);
    return state(std::atomic_ref(fields_.state).load(std::memory_order_relaxed));
  }

  /// From `seen`, which is not locked, to `next` in one step.
  [[nodiscard]] bool try_change(state seen, state next) noexcept {
    word expected = seen.bits();
    return std::atomic_ref(fields_.state)
        .compare_exchange_strong(expected, next.bits(), std::memory_order_acq_rel,
                                 std::memory_order_relaxed);
  }
  [[nodiscard]] bool try_lock(state seen) noexcept {
    if (seen.is_locked() || !try_change(seen, seen.with_lock())) return false;
    // What is written now must not be seen before the lock.
    std::atomic_thread_fence(std::memory_order_release);
    return true;
  }
  /// Waits for the lock; @return the state before. Held for a few instructions, or as
  /// long as a user's function or the storing of a value takes; and the holder may be
  /// off its core. @throws acre::error as back_off()
  [[nodiscard]] state lock() {
    for (unsigned tries = 0;; ++tries) {
      const state seen = look();
      if (try_lock(seen)) return seen;
      back_off(tries);
    }
  }
  /// Lets go of the lock, leaving the state `next`, which is not locked.
  void unlock(state next) noexcept {
    std::atomic_ref(fields_.state).store(next.bits(), std::memory_order_release);
  }

  [[nodiscard]] K key() noexcept { return global::load_direct<K>(key_bytes()); }
  [[nodiscard]] V value() noexcept { return global::load_direct<V>(value_bytes()); }
  /// Between a look() and a look_again(), which tells whether it is of one moment.
  void read_value(V& target) noexcept { std::memcpy(&target, value_bytes(), sizeof(V)); }
  void set_key(const K& key) noexcept { global::store_direct(key_bytes(), key); }
  void set_value(const V& value) noexcept { global::store_direct(value_bytes(), value); }

  /// Before another look at a bucket that somebody changes.
  /// @throws acre::error when this thread holds a lock of a bucket: it may be this one
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
