// SPDX-License-Identifier: BSD-3-Clause
// Applies a batch of updates to one part; prefetches buckets, as each is a cache miss.
#pragma once

#include <acre/base/bits.hpp>
#include <acre/container/hash/detail/batch_items.hpp>
#include <acre/container/hash/detail/hash_parts.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace acre::container {

struct batch_result {
  std::int64_t added = 0;
  std::uint64_t refused = 0;
  bool thrown = false;  ///< by user code or for lack of memory, at a refused item
};

/// Applies items (batch_items.hpp). The bytes of items without room, or at which an exception was
/// thrown, go to `refuse`.
template <class Items, class Part, class Rule, class Refuse>
batch_result apply_batch(Part& part, const Rule& rule, Items& items, Refuse&& refuse) {
  constexpr std::size_t ahead = 16;
  std::array<std::uint64_t, Items::chunk> hashes;
  std::array<typename Part::bucket_type*, Items::chunk> homes;
  batch_result result;
  while (const std::size_t end = items.next_chunk()) {
    std::size_t done = 0;
    while (done < end) {
      const std::size_t first = done;
      std::size_t hashed = first;
      try {
        for (; hashed < end; ++hashed) hashes[hashed] = part.hash_of(items[hashed].key);
      } catch (...) {
      }
      try {
        for (std::size_t i = first; i < hashed; ++i) {
          homes[i] = part.home(hashes[i]);
          if (i < first + ahead) prefetch_for_change(homes[i]);
        }
        for (; done < hashed; ++done) {
          if (done + ahead < hashed) prefetch_for_change(homes[done + ahead]);
          const auto& each = items[done];
          const outcome what = rule.apply(part, homes[done], each.key, hashes[done], each.operand);
          if (what == outcome::found) [[likely]]
            continue;
          if (what == outcome::added) {
            ++result.added;
          } else if (is_refused(what)) {
            ++result.refused;
            refuse(items.bytes_of(done));
          }
        }
      } catch (...) {
      }
      if (done == end) break;
      result.thrown = true;
      ++result.refused;
      refuse(items.bytes_of(done));
      ++done;
    }
  }
  return result;
}

}  // namespace acre::container
