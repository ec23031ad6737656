// SPDX-License-Identifier: BSD-3-Clause
// ISx by queues: each rank hosts one, which receives the keys of its range.
//
// Keys are piled by rank; a full pile is one push. After one barrier each rank distributes the keys
// of its queue to buckets whose counters fit the cache, and counting-sorts these.
//
// Source: Brock, Buluç, Yelick, BCL: A Cross-Platform Distributed Data Structures Library, ICPP
// 2019.
#pragma once

#include <acre/acre.hpp>

#include <apps/isx/keys.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace acre::isx {

class queue_sort {
 public:
  /// Collective. @param keys  total; @param bits  per key, 1 to 31
  queue_sort(std::uint64_t keys, unsigned bits)
      : bits_(bits),
        bucket_bits_(std::min(16U, bits)),
        batch_(node().size() == acre::size() ? 1024 : 1 << 14),
        capacity_(room_for(
            static_cast<double>(keys) / std::exp2(bits) *
            static_cast<double>(divide_up(std::uint64_t{1} << bits, std::uint64_t{acre::size()})))),
        counts_(std::size_t{1} << bucket_bits_),
        piles_(batch_ * acre::size()),
        piled_(acre::size()),
        bucketed_(capacity_ * acre::size()),
        sorted_((capacity_ + overshoot) * acre::size()) {
    for (rank_t host = 0; host < acre::size(); ++host) {
      queues_.emplace_back(world(), hosted_by{host}, capacity_);
    }
  }

  /// Collective.
  /// @throws acre::error if far from uniform
  phases sort(std::span<const key> keys) {
    queues_[rank()].pop_some(sorted_.local(), guarantees::local);  // the previous sort's keys
    barrier();
    const auto begin = clock::now();
    for (const key each : keys) {
      const rank_t owner = owner_of(each);
      piles_[owner * batch_ + piled_[owner]++] = each;
      if (piled_[owner] == batch_) deliver(owner);
    }
    const auto bucketized = clock::now();
    for (rank_t i = 0; i < acre::size(); ++i) deliver((rank() + i) % acre::size());
    barrier();  // all keys are in their queues
    const auto exchanged = clock::now();
    sort_own();
    barrier();
    return {.bucketize = seconds(bucketized - begin),
            .exchange = seconds(exchanged - bucketized),
            .sort = seconds(clock::now() - exchanged)};
  }

  /// This rank's keys, ascending, in [lowest(), beyond()).
  [[nodiscard]] std::span<const key> sorted() const { return sorted_.local().first(found_); }
  [[nodiscard]] std::uint64_t lowest() const noexcept { return first_of(rank()); }
  [[nodiscard]] std::uint64_t beyond() const noexcept { return first_of(rank() + 1); }

 private:
  [[nodiscard]] rank_t owner_of(key of) const noexcept {
    return static_cast<rank_t>(std::uint64_t{of} * acre::size() >> bits_);
  }
  [[nodiscard]] std::uint64_t first_of(rank_t owner) const noexcept {
    return divide_up(std::uint64_t{owner} << bits_, std::uint64_t{acre::size()});
  }

  void deliver(rank_t owner) {
    const std::span<const key> pile(piles_.data() + owner * batch_, piled_[owner]);
    if (!queues_[owner].push(pile)) throw_uneven_keys(owner, queues_[owner].capacity());
    piled_[owner] = 0;
  }

  void sort_own() {
    const std::span<const key> own = queues_[rank()].local();
    const std::uint64_t first = lowest() >> bucket_bits_;
    const auto bucket_of = [&](key of) { return (of >> bucket_bits_) - first; };
    std::vector<std::size_t> ends((beyond() >> bucket_bits_) - first + 2);
    for (const key each : own) ++ends[bucket_of(each) + 1];
    for (std::size_t i = 1; i < ends.size(); ++i) ends[i] += ends[i - 1];
    key* const bucketed = bucketed_.local().data();
    for (const key each : own) bucketed[ends[bucket_of(each)]++] = each;
    key* out = sorted_.local().data();
    for (std::size_t bucket = 0; bucket + 1 < ends.size(); ++bucket) {
      const std::size_t begin = bucket == 0 ? 0 : ends[bucket - 1];
      count_keys({bucketed + begin, ends[bucket] - begin}, counts_);
      out = write_counted(static_cast<key>((first + bucket) << bucket_bits_), counts_, out);
    }
    found_ = static_cast<std::size_t>(out - sorted_.local().data());
  }

  unsigned bits_;
  unsigned bucket_bits_;
  std::size_t batch_;  ///< keys of a push
  std::size_t capacity_;
  std::vector<std::uint32_t> counts_;
  std::vector<key> piles_;
  std::vector<std::size_t> piled_;
  array<key> bucketed_;
  array<key> sorted_;
  std::vector<fast_queue<key>> queues_;
  std::size_t found_ = 0;
};

}  // namespace acre::isx
