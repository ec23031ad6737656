// SPDX-License-Identifier: BSD-3-Clause
// Hash map of counts; absent keys count 0. Otherwise as hash_map.hpp.
//
//     acre::counting_map<std::string> words(acre::world(), 1 << 20);
//     words.add("the");
//     std::uint64_t often = words.count("the");
//
// In bulk: add_many, or acre::buffered writer(words, acre::counting).
#pragma once

#include <acre/base/site.hpp>
#include <acre/container/guarantee.hpp>
#include <acre/container/hash.hpp>
#include <acre/container/hash/detail/hash_container.hpp>
#include <acre/container/hash/detail/hash_operations.hpp>
#include <acre/global/future/future.hpp>

#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <tuple>

namespace acre {

/// Further members: detail/hash_container.hpp.
/// @tparam Count  an integer type; wraps around
template <storable K, std::integral Count = std::uint64_t, hash_for<K> Hash = hash<K>,
          equality_for<K> Equal = equal_by_operator>
class counting_map : public container::hash_container_of_values<K, Count, Hash, Equal> {
  using parent = container::hash_container_of_values<K, Count, Hash, Equal>;

 public:
  using parent::parent;

  /// Adds `times` to the key's count. Cost: R + A + W; new key: R and as hash_map::insert().
  /// @return the count before
  /// @throws acre::error if buckets near the home are full
  template <guarantee_allowing<container_operation::update> Guarantee = no_guarantee>
  Count add(const K& key, Count times = 1, Guarantee guarantee = {},
            const site& where = site::current()) {
    std::optional<Count> before;
    parent::template perform<container::add_operation<Count>>(guarantee, key, before,
                                                              "counting_map::add", where, times);
    return *before;
  }
  template <guarantee_allowing<container_operation::update> Guarantee = no_guarantee>
  [[nodiscard]] future<Count> add_async(const K& key, Count times = 1, Guarantee guarantee = {}) {
    return parent::template start<container::add_operation<Count>>(
        guarantee, key, "counting_map::add_async",
        [](typename parent::met&& result) { return *result.value; }, times);
  }

  /// Counts each occurrence of each key. Cost: as add() per key; other nodes 2 M per full message.
  /// @throws acre::error as hash_map::insert_many
  template <guarantee_allowing<container_operation::update> Guarantee = no_guarantee>
  void add_many(std::span<const K> keys, Guarantee guarantee = {},
                const site& where = site::current()) {
    parent::template change_many<container::count_operation<Count>>(
        guarantee, keys, [](std::uint64_t) { return std::tuple<>(); }, "counting_map::add_many",
        where);
  }

  /// Returns the key's count. Cost: as hash_map::find().
  template <class Key = K, guarantee_allowing<container_operation::find> Guarantee = no_guarantee>
    requires lookup_key<Key, K, Hash, Equal>
  [[nodiscard]] Count count(const Key& key, Guarantee guarantee = {},
                            const site& where = site::current()) const {
    std::optional<Count> times;
    parent::template perform<container::find_operation<Count>>(guarantee, parent::as_key(key),
                                                               times, "counting_map::count", where);
    return times.value_or(0);
  }

  /// Adds the counts of `other`. Collective; otherwise as hash_map::merge().
  void merge(const counting_map& other, const site& where = site::current()) {
    parent::merge_with(
        other, "counting_map::merge", where,
        [](auto& part, const K& key, std::uint64_t hash, Count times) {
          return part.upsert(
              key, hash, [&](Count& count) noexcept { count = static_cast<Count>(count + times); },
              [&] { return times; });
        });
  }
};

}  // namespace acre
