// SPDX-License-Identifier: BSD-3-Clause
// Distribution of entries over members and buckets.
//
//     const acre::hash_statistics all = map.statistics();           // collective
//     if (all.imbalance() > 1.5) …                                  // a poor hash function
#pragma once

#include <cstdint>
#include <vector>

namespace acre {

/// Equal on all members. A multimap's entries are its keys.
struct hash_statistics {
  std::uint64_t entries = 0;
  std::uint64_t capacity = 0;
  std::vector<std::uint64_t> entries_of_member{};
  double mean_probes = 0;  ///< buckets examined to find a present key
  std::uint64_t most_probes = 0;

  [[nodiscard]] double load() const noexcept {
    return static_cast<double>(entries) / static_cast<double>(capacity);
  }
  /// Most entries of a member, divided by the average; 1 if empty.
  [[nodiscard]] double imbalance() const noexcept {
    if (entries == 0) return 1;
    std::uint64_t most = 0;
    for (const std::uint64_t each : entries_of_member) most = each > most ? each : most;
    return static_cast<double>(most) * static_cast<double>(entries_of_member.size()) /
           static_cast<double>(entries);
  }
};

}  // namespace acre
