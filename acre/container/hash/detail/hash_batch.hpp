// SPDX-License-Identifier: BSD-3-Clause
// Applies a batch of updates to one part; prefetches buckets, as each is a cache miss.
#pragma once

#include <acre/container/hash/buffered_rules.hpp>
#include <acre/container/hash/detail/hash_parts.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace acre::container {

template <class K, class Operand>
struct batch_item {
  K key;
  Operand operand;
};
template <class K>
struct batch_item<K, no_operand> {
  K key;
  static constexpr no_operand operand{};
};

struct batch_result {
  std::int64_t added = 0;
  std::uint64_t refused = 0;
  bool thrown = false;  ///< by user code, at a refused item
};

/// Applies items at any alignment. Items without room, or at which user code threw, go to `refuse`.
template <class Item, class Part, class Rule, class Refuse>
batch_result apply_batch(Part& part, const Rule& rule, const std::byte* items, std::size_t count,
                         Refuse&& refuse) {
  constexpr std::size_t chunk = 128;
  constexpr std::size_t ahead = 16;
  std::array<std::uint64_t, chunk> hashes;
  std::array<typename Part::bucket_type*, chunk> homes;
  batch_result result;
  const auto item = [&](std::size_t i) {
    return global::load_bytes<Item>(items + i * sizeof(Item));
  };
  for (std::size_t start = 0; start < count; start += chunk) {
    const std::size_t end = smaller(count, start + chunk);
    std::size_t done = start;
    while (done < end) {
      const std::size_t first = done;
      std::size_t hashed = first;
      try {
        for (; hashed < end; ++hashed) hashes[hashed - start] = part.hash_of(item(hashed).key);
      } catch (...) {
      }
      try {
        for (std::size_t i = first; i < hashed; ++i) {
          homes[i - start] = part.home(hashes[i - start]);
          if (i < first + ahead) prefetch_for_change(homes[i - start]);
        }
        for (; done < hashed; ++done) {
          if (done + ahead < hashed) prefetch_for_change(homes[done + ahead - start]);
          const Item each = item(done);
          const outcome what =
              rule.apply(part, homes[done - start], each.key, hashes[done - start], each.operand);
          if (what == outcome::found) [[likely]]
            continue;
          if (what == outcome::added) {
            ++result.added;
          } else if (is_refused(what)) {
            ++result.refused;
            refuse(each);
          }
        }
      } catch (...) {
      }
      if (done == end) break;
      result.thrown = true;
      ++result.refused;
      refuse(item(done));
      ++done;
    }
  }
  return result;
}

}  // namespace acre::container
