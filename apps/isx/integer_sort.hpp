// SPDX-License-Identifier: BSD-3-Clause
// ISx integer sort: uniform random keys on all ranks, sorted with the lowest on rank 0.
//
// Each rank owns a row of buckets whose counters fit the cache. Keys are piled by bucket; a full
// pile reserves space by fetch-add and is put directly into its bucket. After one barrier each rank
// counting-sorts its buckets.
//
// Source: Hanebutte, Hemstad, ISx: A Scalable Integer Sort for Co-design in the Exascale Era, PGAS
// 2015.
#pragma once

#include <acre/acre.hpp>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace acre::isx {

using key = std::uint32_t;

/// Key i, below 2^bits, independent of the number of ranks.
[[nodiscard]] constexpr key make_key(std::uint64_t i, unsigned bits) noexcept {
  return static_cast<key>(split_mix(0, i) >> (64 - bits));
}

struct phases {
  double bucketize;
  double exchange;
  double sort;
  [[nodiscard]] double total() const noexcept { return bucketize + exchange + sort; }
};

class integer_sort {
 public:
  /// Collective. @param keys  total; @param bits  per key, 1 to 31
  integer_sort(std::uint64_t keys, unsigned bits)
      : bucket_bits_(choose_bucket_bits(bits)),
        mine_(divide_up(std::uint32_t{1} << (bits - bucket_bits_), size())),
        capacity_(room_for(static_cast<double>(keys) / std::exp2(bits - bucket_bits_))),
        pile_(choose_pile(keys / size() >> (bits - bucket_bits_))),
        filled_(std::size_t{mine_} * size() * line),
        inbox_(std::size_t{mine_} * size() * capacity_),
        sorted_((mine_ * capacity_ + overshoot) * size()),
        counts_(std::size_t{1} << bucket_bits_),
        piles_(std::make_unique<key[]>(std::size_t{mine_} * size() * pile_)),
        next_(std::size_t{mine_} * size()) {
    for (std::uint32_t bucket = 0; bucket < next_.size(); ++bucket) next_[bucket] = bucket * pile_;
  }

  /// Collective.
  /// @throws acre::error if far from uniform
  phases sort(std::span<const key> keys) {
    std::ranges::fill(filled_.local(), 0);
    barrier();
    const auto begin = clock::now();
    for (const key each : keys) {
      const std::uint32_t bucket = each >> bucket_bits_;
      const std::uint32_t at = next_[bucket]++;
      piles_[at] = each;
      if (((at + 1) & (pile_ - 1)) == 0) deliver(bucket, pile_);
    }
    const auto bucketized = clock::now();
    for (std::uint32_t bucket = 0; bucket < next_.size(); ++bucket) {
      deliver(bucket, next_[bucket] & (pile_ - 1));
    }
    barrier();
    const auto exchanged = clock::now();
    count_and_write();
    barrier();
    const auto sorted = clock::now();
    return {.bucketize = seconds(bucketized - begin),
            .exchange = seconds(exchanged - bucketized),
            .sort = seconds(sorted - exchanged)};
  }

  /// This rank's keys, ascending, in [lowest(), beyond()).
  [[nodiscard]] std::span<const key> sorted() const { return sorted_.local().first(found_); }
  [[nodiscard]] std::uint64_t lowest() const noexcept {
    return (std::uint64_t{mine_} * rank()) << bucket_bits_;
  }
  [[nodiscard]] std::uint64_t beyond() const noexcept {
    return (std::uint64_t{mine_} * (rank() + 1)) << bucket_bits_;
  }

 private:
  using clock = std::chrono::steady_clock;
  static constexpr std::size_t line = 8;  ///< words: one cache line per bucket
  static constexpr std::size_t overshoot = 4;

  static double seconds(clock::duration time) {
    return std::chrono::duration<double>(time).count();
  }
  /// Bits of a key within its bucket: its counters fill half a cache; several buckets per rank.
  static unsigned choose_bucket_bits(unsigned bits) {
    const auto least = static_cast<unsigned>(std::bit_width(8 * size()));
    return std::min(16U, bits - std::min(bits, least));
  }
  /// Within a node small piles stay in cache; over the network, half of a rank's keys per bucket.
  static std::uint32_t choose_pile(std::uint64_t keys_for_bucket) {
    if (node().size() == acre::size()) return 256;
    return static_cast<std::uint32_t>(
        std::bit_floor(std::clamp<std::uint64_t>(keys_for_bucket / 2, 256, 1 << 16)));
  }
  /// Expected keys plus ten standard deviations.
  static std::size_t room_for(double keys) {
    return static_cast<std::size_t>(keys + 10 * std::sqrt(keys)) + 32;
  }

  void deliver(std::uint32_t bucket, std::uint32_t keys) {
    const std::size_t first = std::size_t{bucket} * pile_;
    const std::uint64_t at =
        fetch_add(filled_.pointer(bucket * line), keys, std::memory_order_relaxed);
    if (at + keys > capacity_)
      throw error("acre-isx", "too many keys for one rank: the keys are not uniform");
    put(inbox_.pointer(bucket * capacity_ + at), std::span(piles_.get() + first, keys));
    next_[bucket] = static_cast<std::uint32_t>(first);
  }

  void count_and_write() {
    key* out = sorted_.local().data();
    for (std::size_t bucket = 0; bucket < mine_; ++bucket) {
      const std::span here =
          inbox_.local().subspan(bucket * capacity_, filled_.local()[bucket * line]);
      std::ranges::fill(counts_, 0);
      for (const key each : here) ++counts_[each & (counts_.size() - 1)];
      key value = static_cast<key>(lowest() + (bucket << bucket_bits_));
      for (const std::uint32_t count : counts_) {
        // Writes `overshoot` keys without a branch: most counts are smaller.
        for (std::size_t i = 0; i < overshoot; ++i) out[i] = value;
        if (count > overshoot) [[unlikely]]
          std::fill_n(out, count, value);
        out += count;
        ++value;
      }
    }
    found_ = static_cast<std::size_t>(out - sorted_.local().data());
  }

  unsigned bucket_bits_;
  std::uint32_t mine_;
  std::size_t capacity_;
  std::uint32_t pile_;  ///< keys per pile, a power of two

  array<std::uint64_t> filled_;
  array<key> inbox_;
  array<key> sorted_;
  std::size_t found_ = 0;

  std::vector<std::uint32_t> counts_;
  std::unique_ptr<key[]> piles_;
  std::vector<std::uint32_t> next_;
};

}  // namespace acre::isx
