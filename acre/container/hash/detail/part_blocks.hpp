// SPDX-License-Identifier: BSD-3-Clause
// The further blocks of a part (block_chain.hpp): an operation that has not found its key in the
// first block goes on to these, in their order.
//
// Whether there is another block is asked after the search of the one before: an insert that has
// added a key to it has released a home's lock since, and a search that has seen this sees the
// block as well.
#pragma once

#include <acre/base/bits.hpp>
#include <acre/container/hash/detail/block_chain.hpp>
#include <acre/container/hash/detail/part_view.hpp>

#include <atomic>
#include <cstdint>
#include <span>

namespace acre::container {

template <class Types>
class part_blocks : public part_view<Types> {
  using parent = part_view<Types>;

 public:
  using parent::parent;
  using typename parent::bucket_type;

  /// The buckets of all blocks; others may add more at any time.
  [[nodiscard]] std::uint64_t buckets_in_all() const {
    std::uint64_t sum = this->capacity_;
    for_each_further([&](const further_part& there) {
      sum += there.capacity();
      return true;
    });
    return sum;
  }

 protected:
  using further_part = typename Types::further_part;
  static constexpr bool may_have_more = Types::seen == blocks::all;

  [[nodiscard]] block_link& link() const noexcept { return link_before(this->first_); }
  [[nodiscard]] further_part part_in(block_link& block) const noexcept {
    return further_part(buckets_behind<bucket_type>(block), this->parts_);
  }

  /// Whether a key that is not in the first block may be in another.
  [[nodiscard]] bool has_more() const noexcept {
    if constexpr (!may_have_more) return false;
    return link().next.load(std::memory_order_acquire) != block_link::none;
  }

  /// Calls f(part) for each further block, until it returns false.
  template <class F>
  void for_each_further(F&& f) const {
    if constexpr (may_have_more) {
      for (block_link* at = link().following(); at != nullptr; at = at->following()) {
        if (!f(part_in(*at))) return;
      }
    }
  }

  /// The result of an operation on one further block after the other, until one holds the key.
  template <class Operation>
  [[gnu::noinline, gnu::cold]] outcome elsewhere(Operation operation) {
    outcome met = outcome::absent;
    for_each_further([&](further_part there) {
      met = operation(there);
      this->costs_ += there.costs();
      return met == outcome::absent;
    });
    return met;
  }

  /// Without a lock, when there was no room in the blocks up to `last`.
  /// @return absent when there is one more: try again
  [[nodiscard]] outcome make_room(block_link* last) const noexcept {
    if constexpr (!may_have_more) {
      return outcome::no_room;
    } else {
      if (link().grows == 0 || is_sparse(*last)) return outcome::no_room;
      return add_block(link(), *last,
                       {.link_bytes = link_bytes<bucket_type>,
                        .bucket_bytes = sizeof(bucket_type),
                        .alignment = larger(alignof(block_link), alignof(bucket_type))})
                 ? outcome::absent
                 : outcome::no_memory;
    }
  }

 private:
  /// Whether a large block in which some key finds no room is nearly empty: then most keys have
  /// nearly the same hash, and more memory would not help for long. Estimated from a sample.
  [[nodiscard]] static bool is_sparse(block_link& block) noexcept {
    constexpr std::uint64_t samples = 256;
    const std::span<bucket_type> all = buckets_behind<bucket_type>(block);
    if (all.size() < 64 * most_reach) return false;
    std::uint64_t full = 0;
    for (std::uint64_t i = 0; i != samples; ++i) {
      if (all[i * (all.size() / samples)].look().is_full()) ++full;
    }
    return full < samples / 16;
  }
};

}  // namespace acre::container
