// SPDX-License-Identifier: BSD-3-Clause
// A rule for buffered writers: only keys that come more than once enter the map.
//
//     acre::bloom_filter<kmer> seen(acre::world(), expected, 0.01);
//     {
//       acre::buffered writer(counts, acre::admitting_repeated(seen));
//       for (kmer each : mine) writer.add(each);
//     }
//     acre::barrier();   // every key that came twice is in `counts`, with the value V{}
//
// The first time a key comes it is noted in the filter, the second time the filter
// knows it and it enters the map; so does one in a hundred of those that came once,
// or as many as the filter's rate says. It does not matter which ranks they come
// from, nor whether at once. A second pass with the rule counting_present then counts
// the keys that are in the map: exactly, and with the memory of the repeated ones.
//
// Filter and map have one team and one hash function, so a key has its owner in
// both: the filter's part lies beside the map's, and nothing more is sent.
#pragma once

#include <acre/container/bloom/bloom_filter.hpp>
#include <acre/container/hash/buffered.hpp>

#include <cstdint>

namespace acre {

template <class K>
class admitting_rule : public container::rule_for_keys {
 public:
  explicit admitting_rule(const container::bloom_parts& seen) noexcept : seen_(&seen) {}

  /// Where the rule is applied it needs the filter's part.
  [[nodiscard]] fabric::word carried(rank_t member) const noexcept {
    return seen_->part_bits(member);
  }
  class arrived {
   public:
    explicit arrived(fabric::word part) noexcept : seen_(runtime::direct_address(part)) {}

    template <class Part>
    container::outcome apply(Part& part, typename Part::bucket_type* home, const K& key,
                             std::uint64_t hash, container::no_operand) const {
      // Most have come often: the filter need not be asked.
      if (part.contains(key, hash)) return container::outcome::found;
      if (seen_.insert(hash).is_new) return container::outcome::absent;
      return part.insert(home, key, hash, typename Part::mapped_type{});
    }

   private:
    container::bloom_part seen_;
  };

 private:
  const container::bloom_parts* seen_;
};

/// add(key): the key enters the map with the value V{} when it comes for the second time, to any
/// rank. The filter must outlive the writer.
/// @param seen  with the team and the hash function of the map
template <class K, class Hash>
[[nodiscard]] admitting_rule<K> admitting_repeated(bloom_filter<K, Hash>& seen) {
  return admitting_rule<K>(seen.guts());
}

}  // namespace acre
