// SPDX-License-Identifier: BSD-3-Clause
// A hash set spread over the ranks of a team: a hash map without values.
//
//     acre::hash_set<std::string> names(acre::world(), 100'000);
//     if (names.insert("Ada")) …                    // true for one of all ranks
//     for (const std::string& name : names) …       // those of all ranks
//
// Everything that hash_map.hpp says of keys, guarantees, costs and collective calls
// holds here. In bulk: insert_many, and for keys that are trivially copyable
// acre::buffered writer(names, acre::inserting).
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

/// The value of a key of a set.
struct no_value {};

struct key_of_entry {
  template <class Entry>
  const auto& operator()(const Entry& entry) const noexcept {
    return entry.first;
  }
};

}  // namespace container

/// Construction, erasing, sizes, walks and collective calls: detail/hash_container.hpp.
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

  /// Adds the key unless it is there. Cost: R when it is there, else A + W at its
  /// home, 2 A + W elsewhere.
  /// @return whether it was added
  /// @throws acre::error when the owner's part is full near the key's home; nothing is lost
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

  /// @return how many were added
  /// @throws acre::error when some found no room; all others are in then
  template <guarantee_allowing<container_operation::insert> Guarantee = no_guarantee>
  std::uint64_t insert_many(std::span<const K> keys, Guarantee guarantee = {},
                            const site& where = site::current()) {
    return parent::template change_many<insertion>(
        guarantee, keys, [](std::uint64_t) { return std::tuple(container::no_value{}); },
        "hash_set::insert_many", where);
  }

  /// Calls f(key) for each key of this rank's part. l.
  template <std::invocable<const K&> F>
  void for_each_local(F&& f) const {
    parent::visit_local([&](const K& key, container::no_value) { f(key); });
  }
};

}  // namespace acre
