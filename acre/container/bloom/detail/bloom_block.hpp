// SPDX-License-Identifier: BSD-3-Clause
// A block of a Bloom filter, read and written by the threads of all ranks of a
// node at once: 1, 2, 4 or 8 words, and the bits in them that an item sets.
//
// Bits are set and never cleared, so what was once found is always found, and a
// reader needs no lock: it may see some of an item's bits and not yet the others,
// which is an item that is not there yet.
//
// A block of one word is changed by a fetch-or. In wider ones the lowest bit of
// the first word is a lock: it is taken by one compare-and-swap, the words are
// stored, the first one last, and that store lets go of it. Either way one atomic
// operation decides who is told that an item is new. At most one of those who
// insert it at once is: under the lock (or at the fetch-or) it finds a bit
// missing that no other inserter of this item finds missing afterwards.
#pragma once

#include <acre/base/bits.hpp>
#include <acre/base/spin_lock.hpp>

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <sched.h>

namespace acre::container {

/// The bits that an item sets in a block of so many words.
template <unsigned Words>
struct bloom_pattern {
  std::array<std::uint64_t, Words> words{};

  /// @param hash the item's, all 64 bits good; @param draws how many bits are drawn
  bloom_pattern(std::uint64_t hash, unsigned draws) noexcept {
    constexpr unsigned place_bits = std::countr_zero(64 * Words);
    constexpr unsigned places = 64 / place_bits;  // that a random word gives
    for (std::uint64_t state = hash + golden_gamma;; state += golden_gamma) {
      std::uint64_t random = mix_bits(state);
      const unsigned now = smaller(draws, places);
      for (unsigned each = 0; each < now; ++each, random >>= place_bits) {
        const std::uint64_t place = random & (64 * Words - 1);
        words[place / 64] |= std::uint64_t{1} << place % 64;
      }
      if (draws <= places) break;
      draws -= places;
    }
  }
};

/// What an insert did.
struct bloom_insertion {
  bool is_new;            ///< a bit was missing
  std::uint32_t atomics;  ///< 1, or more when others changed the block meanwhile
};

/// The words are in shared memory, which is all zero at the begin.
template <unsigned Words>
class bloom_block {
 public:
  using pattern = bloom_pattern<Words>;

  explicit bloom_block(std::uint64_t* words) noexcept : words_(words) {}

  /// Whether all bits are set. Cost: R. The lock's bit counts as set: it says nothing of any item.
  [[nodiscard]] bool find(const pattern& wanted) const noexcept {
    std::uint64_t missing = wanted.words[0] & ~(word(0).load(std::memory_order_acquire) | lock);
    for (unsigned each = 1; each < Words; ++each) {
      missing |= wanted.words[each] & ~word(each).load(std::memory_order_acquire);
    }
    return missing == 0;
  }

  /// Sets all bits. Cost: R when they are set already, else R + A.
  bloom_insertion insert(const pattern& wanted) noexcept {
    if (find(wanted)) return {.is_new = false, .atomics = 0};
    if constexpr (Words == 1) {
      const std::uint64_t before = word(0).fetch_or(wanted.words[0], std::memory_order_acq_rel);
      return {.is_new = (wanted.words[0] & ~before) != 0, .atomics = 1};
    } else {
      std::uint32_t atomics = 0;
      const std::uint64_t first = take_lock(atomics);
      return {.is_new = store(wanted, first), .atomics = atomics};
    }
  }

  /// The same in a block that nobody else uses now. l.
  bool insert_alone(const pattern& wanted) noexcept {
    return store(wanted, word(0).load(std::memory_order_relaxed));
  }

 private:
  static constexpr std::uint64_t lock = Words == 1 ? 0 : 1;

  [[nodiscard]] std::atomic_ref<std::uint64_t> word(unsigned which) const noexcept {
    return std::atomic_ref(words_[which]);
  }

  /// @return the first word, without the lock
  [[nodiscard]] std::uint64_t take_lock(std::uint32_t& atomics) noexcept {
    for (unsigned tries = 0;; ++tries) {
      std::uint64_t seen = word(0).load(std::memory_order_relaxed);
      if ((seen & lock) == 0) {
        ++atomics;
        if (word(0).compare_exchange_strong(seen, seen | lock, std::memory_order_acquire,
                                            std::memory_order_relaxed)) {
          return seen;
        }
      }
      // Held for a few instructions, but the holder may be off its core.
      if (tries < 64) {
        spin_pause();
      } else {
        ::sched_yield();
      }
    }
  }

  /// Under the lock, or alone: the other words, then the first one, which lets go.
  bool store(const pattern& wanted, std::uint64_t first) noexcept {
    bool is_new = false;
    for (unsigned each = 1; each < Words; ++each) {
      const std::uint64_t before = word(each).load(std::memory_order_relaxed);
      const std::uint64_t after = before | wanted.words[each];
      if (after == before) continue;
      is_new = true;
      word(each).store(after, std::memory_order_release);
    }
    const std::uint64_t after = first | (wanted.words[0] & ~lock);
    word(0).store(after, std::memory_order_release);
    return is_new || after != first;
  }

  std::uint64_t* words_;
};

}  // namespace acre::container
