// SPDX-License-Identifier: BSD-3-Clause
// ISx integer sort of uniform random keys on all ranks, the lowest on rank 0.
//
// Each rank owns a row of buckets whose counters fit the cache. A full pile of a bucket's keys
// reserves space by fetch-add and is put into it. After one barrier each rank counting-sorts its
// buckets. Between nodes row_sort.hpp has fewer operations.
//
// Source: Hanebutte, Hemstad, ISx: A Scalable Integer Sort for Co-design in the Exascale Era, PGAS
// 2015.
#pragma once

#include <acre/acre.hpp>

#include <apps/isx/keys.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace acre::isx {

class integer_sort {
 public:
  /// Collective. @param keys  total; @param bits  per key, 1 to 31
  integer_sort(std::uint64_t keys, unsigned bits)
      : bucket_bits_(choose_bucket_bits(bits)),
        mine_(divide_up(std::uint32_t{1} << (bits - bucket_bits_), size())),
        capacity_(room_for(static_cast<double>(keys) / std::exp2(bits - bucket_bits_))),
        filled_(std::size_t{mine_} * size() * line),
        inbox_(std::size_t{mine_} * size() * capacity_),
        sorted_((mine_ * capacity_ + overshoot) * size()),
        counts_(std::size_t{1} << bucket_bits_),
        piles_(std::make_unique<key[]>(std::size_t{mine_} * size() * pile)),
        next_(std::size_t{mine_} * size()) {
    for (std::uint32_t bucket = 0; bucket < next_.size(); ++bucket) next_[bucket] = bucket * pile;
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
      if (((at + 1) & (pile - 1)) == 0) deliver(bucket, pile);
    }
    const auto bucketized = clock::now();
    for (std::uint32_t bucket = 0; bucket < next_.size(); ++bucket) {
      deliver(bucket, next_[bucket] & (pile - 1));
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
  static constexpr std::size_t line = 8;      ///< words: one cache line per bucket
  static constexpr std::uint32_t pile = 256;  ///< keys, a power of two

  void deliver(std::uint32_t bucket, std::uint32_t keys) {
    const std::size_t first = std::size_t{bucket} * pile;
    const std::uint64_t at =
        fetch_add(filled_.pointer(bucket * line), keys, std::memory_order_relaxed);
    if (at + keys > capacity_) throw_uneven_keys(bucket, capacity_);
    put(inbox_.pointer(bucket * capacity_ + at), std::span(piles_.get() + first, keys));
    next_[bucket] = static_cast<std::uint32_t>(first);
  }

  void count_and_write() {
    key* out = sorted_.local().data();
    for (std::size_t bucket = 0; bucket < mine_; ++bucket) {
      const std::span here =
          inbox_.local().subspan(bucket * capacity_, filled_.local()[bucket * line]);
      count_keys(here, counts_);
      out = write_counted(static_cast<key>(lowest() + (bucket << bucket_bits_)), counts_, out);
    }
    found_ = static_cast<std::size_t>(out - sorted_.local().data());
  }

  unsigned bucket_bits_;
  std::uint32_t mine_;
  std::size_t capacity_;

  array<std::uint64_t> filled_;
  array<key> inbox_;
  array<key> sorted_;
  std::size_t found_ = 0;

  std::vector<std::uint32_t> counts_;
  std::unique_ptr<key[]> piles_;
  std::vector<std::uint32_t> next_;
};

}  // namespace acre::isx
