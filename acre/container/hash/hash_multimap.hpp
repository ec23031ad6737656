// SPDX-License-Identifier: BSD-3-Clause
// Hash map with several values per key, distributed over a team, as hash_map.hpp.
//
//     acre::hash_multimap<std::string, int> places(acre::world(), 100'000);
//     places.insert("Ada", 7);
//     places.insert("Ada", 9);
//     for (const int place : places.find("Ada")) …       // 7, 9: as inserted
//
// A bucket refers to one block with all values of its key (value_list.hpp), so operations on a key
// are linearizable.
//
// Costs: for the bucket, within a node, at best; the block: R to read, W to write. Other nodes: 2
// M, payloads beyond a message as in hash_map.hpp. In bulk: insert_many, find_many, acre::buffered
// writer(places, acre::inserting).
#pragma once

#include <acre/base/site.hpp>
#include <acre/container/guarantee.hpp>
#include <acre/container/hash.hpp>
#include <acre/container/hash/detail/hash_container.hpp>
#include <acre/container/hash/detail/hash_operations.hpp>
#include <acre/container/hash/detail/multimap_operations.hpp>
#include <acre/container/hash/detail/value_list.hpp>
#include <acre/global/future/future.hpp>
#include <acre/runtime/lost_failure.hpp>

#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace acre {

namespace container {
template <class V, class... Operands>
struct a_function_of_each_value {
  template <class F>
    requires(!visitor_of<F, V, Operands...> && !guarantee_allowing<F, container_operation::update>)
  a_function_of_each_value(const F&) = delete;  // [](V& value, const Operand& x) { ... }
};
}  // namespace container

/// Further members: detail/hash_container.hpp. Capacity counts keys.
/// @tparam K, V  storable; only erase(key, value) calls operator== of V, in any thread
template <storable K, storable V, hash_for<K> Hash = hash<K>,
          equality_for<K> Equal = equal_by_operator>
class hash_multimap : public container::hash_container<K, container::value_list<V>, Hash, Equal,
                                                       container::whole_entry> {
  using parent =
      container::hash_container<K, container::value_list<V>, Hash, Equal, container::whole_entry>;
  using typename parent::table;
  using number = std::optional<std::uint64_t>;

 public:
  using value_type = std::pair<K, V>;
  using found_type = std::vector<V>;
  using parent::parent;

  /// Cost: R + A + W; if the block is full, l per value.
  /// @throws acre::error if no bucket near the home bucket is free, or a heap is full
  template <guarantee_allowing<container_operation::insert> Guarantee = no_guarantee>
  void insert(const K& key, const V& value, Guarantee guarantee = {},
              const site& where = site::current()) {
    std::optional<container::value_list<V>> nothing;
    parent::template perform<container::append_operation<V>>(guarantee, key, nothing,
                                                             "hash_multimap::insert", where, value);
  }

  /// Values as inserted; empty if absent. Cost: R.
  template <lookup_key<K, Hash, Equal> Key = K,
            guarantee_allowing<container_operation::find> Guarantee = no_guarantee>
  [[nodiscard]] std::vector<V> find(const Key& key, Guarantee guarantee = {},
                                    const site& where = site::current()) const {
    std::optional<std::vector<V>> values;
    parent::template perform<container::find_values_operation<V>>(
        guarantee, parent::as_key(key), values, "hash_multimap::find", where);
    return std::move(values).value_or(std::vector<V>());
  }

  /// Number of values. Cost: R.
  template <lookup_key<K, Hash, Equal> Key = K,
            guarantee_allowing<container_operation::find> Guarantee = no_guarantee>
  [[nodiscard]] std::uint64_t count(const Key& key, Guarantee guarantee = {},
                                    const site& where = site::current()) const {
    number values;
    parent::template perform<container::count_values_operation<V>>(
        guarantee, parent::as_key(key), values, "hash_multimap::count", where);
    return values.value_or(0);
  }

  /// @return number of values erased. Cost: R + A + W.
  template <lookup_key<K, Hash, Equal> Key = K,
            guarantee_allowing<container_operation::erase> Guarantee = no_guarantee>
  std::uint64_t erase(const Key& key, Guarantee guarantee = {},
                      const site& where = site::current()) {
    number values;
    parent::template perform<container::erase_key_operation<V>>(
        guarantee, parent::as_key(key), values, "hash_multimap::erase", where);
    return values.value_or(0);
  }

  /// @return number of values erased. Cost: R + A + W, and l per value.
  /// @throws exceptions of operator==, without a change
  template <guarantee_allowing<container_operation::erase> Guarantee = no_guarantee>
    requires std::equality_comparable<V>
  std::uint64_t erase(const K& key, const std::type_identity_t<V>& value, Guarantee guarantee = {},
                      const site& where = site::current()) {
    number values;
    parent::template perform<container::erase_value_operation<V>>(
        guarantee, key, values, "hash_multimap::erase", where, value);
    return values.value_or(0);
  }

  /// Atomically calls f(value, operands...) for each value. Cost: R + A + W, and l per value; other
  /// nodes: 2 M, served when the owner waits or calls progress().
  ///
  /// f is sent bytewise, and runs under a lock: short, without calls of Acre. If it throws, no
  /// value is changed.
  /// @return number of values
  template <class F, class... Operands>
    requires visitor_of<F, V, Operands...>
  std::uint64_t visit(const K& key, F f, const Operands&... operands) {
    return visit(key, no_guarantee{}, f, operands...);
  }
  template <guarantee_allowing<container_operation::update> Guarantee, class F, class... Operands>
    requires visitor_of<F, V, Operands...>
  std::uint64_t visit(const K& key, Guarantee guarantee, F f, const Operands&... operands) {
    number values;
    parent::template perform<
        container::visit_operation<V, F, std::remove_cvref_t<const Operands&>...>>(
        guarantee, key, values, "hash_multimap::visit", {}, container::carried_function(f),
        operands...);
    return values.value_or(0);
  }
  template <class... Operands>
  void visit(const K&, std::type_identity_t<container::a_function_of_each_value<V, Operands...>>,
             const Operands&...);

  // --- asynchronous: as hash_map.hpp ---

  template <guarantee_allowing<container_operation::insert> Guarantee = no_guarantee>
  [[nodiscard]] future<> insert_async(const K& key, const V& value, Guarantee guarantee = {}) {
    return parent::template start<container::append_operation<V>>(
        guarantee, key, "hash_multimap::insert_async", [](const auto&) {}, value);
  }
  template <guarantee_allowing<container_operation::find> Guarantee = no_guarantee>
  [[nodiscard]] future<std::vector<V>> find_async(const K& key, Guarantee guarantee = {}) const {
    return parent::template start<container::find_values_operation<V>>(
        guarantee, key, "hash_multimap::find_async", [](container::met<std::vector<V>>&& result) {
          return std::move(result.value).value_or(std::vector<V>());
        });
  }
  template <guarantee_allowing<container_operation::erase> Guarantee = no_guarantee>
  [[nodiscard]] future<std::uint64_t> erase_async(const K& key, Guarantee guarantee = {}) {
    return parent::template start<container::erase_key_operation<V>>(
        guarantee, key, "hash_multimap::erase_async",
        [](const container::met<std::uint64_t>& result) { return result.value.value_or(0); });
  }

  // --- many keys: as hash_map.hpp ---

  /// @throws acre::error if some found no free bucket, with all others added; after other errors
  /// some are added
  template <guarantee_allowing<container_operation::insert> Guarantee = no_guarantee>
  void insert_many(std::span<const K> keys, std::span<const V> values, Guarantee guarantee = {},
                   const site& where = site::current()) {
    container::check_as_many("hash_multimap::insert_many", keys.size(), values.size());
    parent::template change_many<container::append_operation<V>>(
        guarantee, keys, [&](std::uint64_t i) { return std::tie(values[i]); },
        "hash_multimap::insert_many", where);
  }

  template <guarantee_allowing<container_operation::find> Guarantee = no_guarantee>
  void find_many(std::span<const K> keys, std::span<std::vector<V>> results,
                 Guarantee guarantee = {}, const site& where = site::current()) const {
    container::check_as_many("hash_multimap::find_many", keys.size(), results.size());
    this->get_table("hash_multimap::find_many")
        .template perform_many<container::find_values_operation<V>>(
            guarantee, keys, [](std::uint64_t) { return std::tuple<>(); },
            [&](std::uint64_t i, container::met<std::vector<V>>&& result) {
              results[i] = std::move(result.value).value_or(std::vector<V>());
            },
            "hash_multimap::find_many", where);
  }
  template <guarantee_allowing<container_operation::find> Guarantee = no_guarantee>
  [[nodiscard]] std::vector<std::vector<V>> find_many(std::span<const K> keys,
                                                      Guarantee guarantee = {},
                                                      const site& where = site::current()) const {
    std::vector<std::vector<V>> results(keys.size());
    find_many(keys, std::span(results), guarantee, where);
    return results;
  }

  // --- all keys ---

  /// Calls f(key, value) with copies. l.
  template <class F>
    requires container::takes_a_const_key_and_a_const_value<F, K, V>
  void for_each_local(F&& f) const {
    parent::visit_local([&](const K& key, const container::value_list<V>& list) {
      for (const V& each : list.values) f(key, each);
    });
  }

  /// As hash_map::merge(). Collective.
  void merge(const hash_multimap& other, const site& where = site::current()) {
    parent::merge_with(
        other, "hash_multimap::merge", where,
        [](auto& part, const K& key, std::uint64_t hash, const container::value_list<V>& list) {
          return part.upsert(key, hash, container::appended_list<V>{list},
                             [&]() -> const auto& { return list; });
        });
  }

  /// Number of this rank's values. Cost: l per bucket.
  [[nodiscard]] std::uint64_t local_size() const {
    std::uint64_t values = 0;
    const table& all = this->get_table("hash_multimap::local_size");
    all.local_part().view().for_each_stored(
        [&](const container::stored_list<V>& list) { values += list.count; });
    return values;
  }
  /// Number of all values. Collective. Cost: sync(), 1 allreduce, and as local_size().
  [[nodiscard]] std::uint64_t size(const site& where = site::current()) const {
    const runtime::failures_held until_all_is_done;
    table& all = this->get_table("hash_multimap::size");
    all.sync(where);
    return all.members().allreduce(local_size(), op::sum, where);
  }
  /// Collective. Cost: sync() + 1 allreduce.
  [[nodiscard]] std::uint64_t key_count(const site& where = site::current()) const {
    return parent::size(where);
  }
};

}  // namespace acre
