// SPDX-License-Identifier: BSD-3-Clause
// Block of a Bloom filter, shared by all threads of a node.
//
// Bits are set and never cleared, so readers need no lock: an item with some bits unseen is not yet
// present. One-word blocks change by fetch-or. In wider ones the lowest bit of the first word is a
// lock, acquired by compare-and-swap; the store of the first word, after the others, releases it.
// At most one of several concurrent inserters finds a bit missing.
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

template <unsigned Words>
struct bloom_pattern {
  std::array<std::uint64_t, Words> words{};

  bloom_pattern(std::uint64_t hash, unsigned draws) noexcept {
    constexpr unsigned place_bits = std::countr_zero(64 * Words);
    constexpr unsigned places = 64 / place_bits;
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

struct bloom_insertion {
  bool is_new;
  std::uint32_t atomics;
};

/// Shared memory, initially zero.
template <unsigned Words>
class bloom_block {
 public:
  using pattern = bloom_pattern<Words>;

  explicit bloom_block(std::uint64_t* words) noexcept : words_(words) {}

  /// True if all bits are set; the lock bit counts as set. Cost: R.
  [[nodiscard]] bool find(const pattern& wanted) const noexcept {
    std::uint64_t missing = wanted.words[0] & ~(word(0).load(std::memory_order_acquire) | lock);
    for (unsigned each = 1; each < Words; ++each) {
      missing |= wanted.words[each] & ~word(each).load(std::memory_order_acquire);
    }
    return missing == 0;
  }

  /// Sets all bits. Cost: R if already set, else R + A.
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

  /// Without concurrent users. Cost: l.
  bool insert_alone(const pattern& wanted) noexcept {
    return store(wanted, word(0).load(std::memory_order_relaxed));
  }

 private:
  static constexpr std::uint64_t lock = Words == 1 ? 0 : 1;

  [[nodiscard]] std::atomic_ref<std::uint64_t> word(unsigned which) const noexcept {
    return std::atomic_ref(words_[which]);
  }

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
      // The holder may be descheduled.
      if (tries < 64) {
        spin_pause();
      } else {
        ::sched_yield();
      }
    }
  }

  /// Stores the first word last, which unlocks. Under the lock or alone.
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
