// SPDX-License-Identifier: BSD-3-Clause
// ISx between nodes: each rank owns a row of buckets, so that one fetch-add reserves and one put
// sends a target's keys, as in the reference program. A second put adds their position and number
// per bucket. All puts overlap.
//
// Source: Hanebutte, Hemstad, ISx: A Scalable Integer Sort for Co-design in the Exascale Era, PGAS
// 2015.
#pragma once

#include <acre/acre.hpp>

#include <apps/isx/keys.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace acre::isx {

class row_sort {
 public:
  /// Collective. @param keys  total; @param bits  per key, 1 to 31
  row_sort(std::uint64_t keys, unsigned bits)
      : bucket_bits_(choose_bucket_bits(bits)),
        mine_(divide_up(std::size_t{1} << (bits - bucket_bits_), std::size_t{size()})),
        capacity_(room_for(static_cast<double>(keys) / std::exp2(bits - bucket_bits_) *
                           static_cast<double>(mine_))),
        filled_(size()),
        inbox_(capacity_ * size()),
        notes_((mine_ + 1) * size() * size()),
        sorted_((capacity_ + overshoot) * size()),
        counts_(std::size_t{1} << bucket_bits_),
        sent_notes_((mine_ + 1) * size()),
        next_(mine_ * size()) {}

  /// Collective.
  /// @throws acre::error if far from uniform
  phases sort(std::span<const key> keys) {
    filled_.local()[0] = 0;
    piles_.resize(keys.size());
    barrier();
    const auto begin = clock::now();
    bucketize(keys);
    const auto bucketized = clock::now();
    for (rank_t i = 1; i <= size(); ++i) deliver((rank() + i) % size());
    barrier();
    const auto exchanged = clock::now();
    count_and_write();
    barrier();
    return {.bucketize = seconds(bucketized - begin),
            .exchange = seconds(exchanged - bucketized),
            .sort = seconds(clock::now() - exchanged)};
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
  /// Number of keys of each of the target's buckets, then their position in its inbox.
  [[nodiscard]] std::span<std::uint64_t> notes_for(rank_t target) {
    return std::span(sent_notes_).subspan(target * (mine_ + 1), mine_ + 1);
  }

  void bucketize(std::span<const key> keys) {
    std::ranges::fill(next_, 0);
    for (const key each : keys) ++next_[each >> bucket_bits_];
    std::size_t begin = 0;
    for (std::size_t bucket = 0; bucket < next_.size(); ++bucket) {
      const std::size_t count = std::exchange(next_[bucket], begin);
      notes_for(static_cast<rank_t>(bucket / mine_))[bucket % mine_] = count;
      begin += count;
    }
    for (const key each : keys) piles_[next_[each >> bucket_bits_]++] = each;
  }

  void deliver(rank_t target) {
    const std::size_t first = target == 0 ? 0 : next_[target * mine_ - 1];
    const std::size_t count = next_[(target + 1) * mine_ - 1] - first;
    const std::uint64_t at = fetch_add(filled_.pointer(target), count, std::memory_order_relaxed);
    if (at + count > capacity_) throw_uneven_keys(target, capacity_);
    notes_for(target)[mine_] = at;
    put_nbi(inbox_.pointer(target * capacity_ + at), std::span(piles_).subspan(first, count));
    put_nbi(notes_.pointer((std::size_t{target} * size() + rank()) * (mine_ + 1)),
            notes_for(target));
  }

  void count_and_write() {
    const std::span<std::uint64_t> notes = notes_.local();
    const std::span<const key> inbox = inbox_.local();
    key* out = sorted_.local().data();
    for (std::size_t bucket = 0; bucket < mine_; ++bucket) {
      for (std::size_t source = 0; source < size(); ++source) {
        const std::uint64_t count = notes[source * (mine_ + 1) + bucket];
        std::uint64_t& at = notes[source * (mine_ + 1) + mine_];
        count_keys(inbox.subspan(at, count), counts_);
        at += count;
      }
      out = write_counted(static_cast<key>(lowest() + (bucket << bucket_bits_)), counts_, out);
    }
    found_ = static_cast<std::size_t>(out - sorted_.local().data());
  }

  unsigned bucket_bits_;
  std::size_t mine_;  ///< buckets per rank
  std::size_t capacity_;

  array<std::uint64_t> filled_;  ///< keys in each inbox
  array<key> inbox_;
  array<std::uint64_t> notes_;  ///< by target and source
  array<key> sorted_;
  std::size_t found_ = 0;

  std::vector<std::uint32_t> counts_;
  std::vector<std::uint64_t> sent_notes_;
  std::vector<std::size_t> next_;  ///< by bucket: position in piles_
  std::vector<key> piles_;
};

}  // namespace acre::isx
