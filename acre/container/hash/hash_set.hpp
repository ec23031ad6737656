// SPDX-License-Identifier: BSD-3-Clause
// Hash set distributed over a team; otherwise as hash_map.hpp.
//
//     acre::hash_set<std::string> names(acre::world(), 100'000);
//     if (names.insert("Ada")) …                    // true on one rank
//     for (const std::string& name : names) …       // of all ranks
//
// In bulk: insert_many, or acre::buffered writer(names, acre::inserting).
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
namespace container {

struct no_value {};

struct key_of_entry {
  template <class Entry>
  const auto& operator()(const Entry& entry) const noexcept {
    return entry.first;
  }
};

}  // namespace container

/// Further members: detail/hash_container.hpp.
template <storable K, hash_for<K> Hash = hash<K>, equality_for<K> Equal = equal_by_operator>
class hash_set : public container::hash_container<K, container::no_value, Hash, Equal,
                                                  container::key_of_entry> {
  using parent =
      container::hash_container<K, container::no_value, Hash, Equal, container::key_of_entry>;
  using insertion = container::insert_operation<container::no_value>;

 public:
  using value_type = K;
  using key_range = typename parent::entry_range;
  using parent::parent;

  /// Adds the key if absent. Cost: as hash_map::insert().
  /// @return true if added
  /// @throws acre::error if no bucket near the home bucket is free
  template <guarantee_allowing<container_operation::insert> Guarantee = no_guarantee>
  bool insert(const K& key, Guarantee guarantee = {}, const site& where = site::current()) {
    std::optional<container::no_value> nothing;
    return parent::template perform<insertion>(guarantee, key, nothing, "hash_set::insert", where,
                                               container::no_value{}) == parent::added;
  }
  template <guarantee_allowing<container_operation::insert> Guarantee = no_guarantee>
  [[nodiscard]] future<bool> insert_async(const K& key, Guarantee guarantee = {}) {
    return parent::template start<insertion>(guarantee, key, "hash_set::insert_async",
                                             parent::is_added, container::no_value{});
  }

  /// Performs insert() for each key.
  /// @return number of keys added
  /// @throws acre::error if some found no free bucket, with all others added
  template <guarantee_allowing<container_operation::insert> Guarantee = no_guarantee>
  std::uint64_t insert_many(std::span<const K> keys, Guarantee guarantee = {},
                            const site& where = site::current()) {
    return parent::template change_many<insertion>(
        guarantee, keys, [](std::uint64_t) { return std::tuple(container::no_value{}); },
        "hash_set::insert_many", where);
  }

  /// Adds the keys of `other`. Collective; otherwise as hash_map::merge().
  void merge(const hash_set& other, const site& where = site::current()) {
    parent::merge_with(other, "hash_set::merge", where,
                       [](auto& part, const K& key, std::uint64_t hash, container::no_value value) {
                         return part.insert(key, hash, value);
                       });
  }

  /// Calls f(key) for this rank's keys. Cost: l.
  template <std::invocable<const K&> F>
  void for_each_local(F&& f) const {
    parent::visit_local([&](const K& key, container::no_value) { f(key); });
  }
};

}  // namespace acre
