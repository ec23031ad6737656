// SPDX-License-Identifier: BSD-3-Clause
// Rule for buffered writers: only keys that occur repeatedly enter the map.
//
//     acre::bloom_filter<kmer> seen(acre::world(), expected, 0.01);
//     {
//       acre::buffered writer(counts, acre::admitting_repeated(seen));
//       for (kmer each : mine) writer.add(each);
//     }
//     acre::barrier();   // every repeated key is in `counts`, with V{}
//
// A key's first occurrence enters the filter, the second one the map; others enter the map at the
// filter's false-positive rate. A second pass with counting_present counts exactly. Filter and map
// have the same owners: no extra messages.
#pragma once

#include <acre/container/bloom/bloom_filter.hpp>
#include <acre/container/hash/buffered.hpp>

#include <cstdint>

namespace acre {

template <class K>
class admitting_rule : public container::rule_for_keys {
 public:
  explicit admitting_rule(const container::bloom_parts& seen) noexcept : seen_(&seen) {}

  [[nodiscard]] fabric::word carried(rank_t member) const noexcept {
    return seen_->part_bits(member);
  }
  class arrived {
   public:
    explicit arrived(fabric::word part) noexcept : seen_(runtime::direct_address(part)) {}

    template <class Part>
    container::outcome apply(Part& part, typename Part::bucket_type* home, const K& key,
                             std::uint64_t hash, container::no_operand) const {
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

/// Returns a rule that adds a key with V{} at its second occurrence on any ranks. The filter must
/// outlive the writer.
/// @param seen  with the team and hash function of the map
template <class K, class Hash>
[[nodiscard]] admitting_rule<K> admitting_repeated(bloom_filter<K, Hash>& seen) {
  return admitting_rule<K>(seen.guts());
}

}  // namespace acre
