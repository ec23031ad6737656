// SPDX-License-Identifier: BSD-3-Clause
// Operations over all blocks of a part (block_chain.hpp).
//
// A link is read after the block before was searched. An insert into a further block ends with the
// release of the home's lock: a search that sees that release also sees the block.
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

  [[nodiscard]] bool has_more() const noexcept {
    if constexpr (!may_have_more) return false;
    return link().next.load(std::memory_order_acquire) != block_link::none;
  }

  /// Stops when f returns false.
  template <class F>
  void for_each_further(F&& f) const {
    if constexpr (may_have_more) {
      for (block_link* at = link().following(); at != nullptr; at = at->following()) {
        if (!f(part_in(*at))) return;
      }
    }
  }

  /// Stops when a block holds the key.
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

  /// No lock may be held.
  /// @return absent if there is a block now: retry
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
  /// True if a large block without room for a key is nearly empty (sampled): hash collisions.
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
