// SPDX-License-Identifier: BSD-3-Clause
// Hash map distributed over a team. Construction, resizing, clearing and destruction are
// collective.
//
//     acre::hash_map<std::uint64_t, std::uint32_t> counts(acre::world(), 1 << 24);
//     counts.fetch_add(42, 10);
//     if (auto count = counts.find(42)) …
//
// A key is stored in or near its home bucket at its owner. Operations are direct within a node,
// else one message answered by the owner's runtime, or one get: find() and contains() with
// only<find>. Any ranks and threads may operate concurrently; values are never torn.
//
// Memory order: writes before an insert or update are visible to ranks that find its value
// (release/acquire), across nodes too.
//
// Costs are best cases within a node, for data of fixed size (others: one R or W more each). To
// another node: 2 M, as no network has atomics coherent with CPU atomics; operands beyond a message
// (some 10 kB) 2 M + W, results M + R. With guarantee `local`: l.
//
// Bulk updates: buffered.hpp.
#pragma once

#include <acre/base/site.hpp>
#include <acre/base/unique_object.hpp>
#include <acre/container/detail/as_many.hpp>
#include <acre/container/guarantee.hpp>
#include <acre/container/hash.hpp>
#include <acre/container/hash/detail/hash_container.hpp>
#include <acre/container/hash/detail/hash_operations.hpp>
#include <acre/global/future/future.hpp>
#include <acre/runtime/running_code.hpp>

#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

namespace acre {

namespace container {
template <class K>
struct a_key_of_the_map {
  template <class X>
    requires(!std::convertible_to<X, K>)
  a_key_of_the_map(X&&) = delete;  // hash_map<K, V>::insert(key, value): the key becomes a K
};
template <class V>
struct a_value_of_the_map {
  template <class X>
    requires(!std::convertible_to<X, V>)
  a_value_of_the_map(X&&) = delete;  // hash_map<K, V>::insert(key, value): the value becomes a V
};
struct a_key_and_a_value {
  template <class... X>
    requires(sizeof...(X) > 0)
  a_key_and_a_value(X&&...) = delete;  // insert(key, value), without a pair or braces
};
}  // namespace container

/// Further members: detail/hash_container.hpp. Moves: local. Destruction: collective, B; objects in
/// any order, the same on all members.
/// @tparam K, V  trivially copyable (at most 64 KiB together) or serializable
/// @tparam Hash, Equal  stateless; called by any thread, at the owner too
template <storable K, storable V, hash_for<K> Hash = hash<K>,
          equality_for<K> Equal = equal_by_operator>
class hash_map : public container::hash_container_of_values<K, V, Hash, Equal> {
  using parent = container::hash_container_of_values<K, V, Hash, Equal>;
  using parent::added, parent::found, parent::as_key;
  using typename parent::met;

 public:
  using parent::parent;

  // --- one key ---
  //
  // Any thread; waits only while another changes the same bucket. Last argument: optional guarantee
  // (guarantee.hpp).
  // @throws exceptions of Hash and Equal, before any change; acre::error for a broken guarantee
  // (ACRE_CHECKS)

  /// Adds the key if absent. Cost: R if present; else A + W in the home bucket, 2 A + W in another,
  /// and R per bucket examined.
  /// @return true if added
  /// @throws acre::error if no bucket near the home bucket is free
  bool insert(const K& key, const V& value, const site& where = site::current()) {
    return insert(key, value, no_guarantee{}, where);
  }
  void insert(container::a_key_and_a_value);
  template <class X, class... Rest>
  void insert(container::a_key_of_the_map<K>, const X&, const Rest&...);
  template <class... Rest>
  void insert(const K&, container::a_value_of_the_map<V>, const Rest&...);
  template <guarantee_allowing<container_operation::insert> Guarantee>
  bool insert(const K& key, const V& value, Guarantee guarantee,
              const site& where = site::current()) {
    std::optional<V> nothing;
    return parent::template perform<container::insert_operation<V>>(
               guarantee, key, nothing, "hash_map::insert", where, value) == added;
  }

  /// Sets the value, present or new. Cost: R + A + W; new key: R and as insert().
  /// @return true if added
  bool insert_or_assign(const K& key, const V& value, const site& where = site::current()) {
    return insert_or_assign(key, value, no_guarantee{}, where);
  }
  void insert_or_assign(container::a_key_and_a_value);
  template <class X, class... Rest>
  void insert_or_assign(container::a_key_of_the_map<K>, const X&, const Rest&...);
  template <class... Rest>
  void insert_or_assign(const K&, container::a_value_of_the_map<V>, const Rest&...);
  template <guarantee_allowing<container_operation::update> Guarantee>
  bool insert_or_assign(const K& key, const V& value, Guarantee guarantee,
                        const site& where = site::current()) {
    std::optional<V> nothing;
    return parent::template perform<container::assign_operation<V>>(
               guarantee, key, nothing, "hash_map::insert_or_assign", where, value) == added;
  }

  /// Value, if present. Cost: R. At other nodes 2 M; with a guarantee that excludes
  /// changes, and data of fixed size, R: for small data 1.01 R on average at load 0.75
  /// (read_way.hpp). Automatic maps: R more for an absent key.
  template <lookup_key<K, Hash, Equal> Key = K,
            guarantee_allowing<container_operation::find> Guarantee = no_guarantee>
  [[nodiscard]] std::optional<V> find(const Key& key, Guarantee guarantee = {},
                                      const site& where = site::current()) const {
    std::optional<V> value;
    parent::template perform<container::find_operation<V>>(guarantee, as_key(key), value,
                                                           "hash_map::find", where);
    return value;
  }

  /// Atomically replaces the value by f(value), or lets f change it; adds an absent key with
  /// `initial`. Cost: R + A + W; new key: R and as insert(); other nodes: 2 M, served when the
  /// owner waits or calls progress().
  ///
  /// f runs at most once, under a lock: it must be short and not call Acre. If it throws, the map
  /// is unchanged. f is sent bytewise.
  /// @return true if the key was present
  /// @throws acre::error if f calls update or apply, waits, or calls a collective
  template <update_of<V> F,
            guarantee_allowing<container_operation::update> Guarantee = no_guarantee>
  bool update(const K& key, F f, const std::type_identity_t<V>& initial, Guarantee guarantee = {},
              const site& where = site::current()) {
    std::optional<V> nothing;
    return parent::template perform<container::update_operation<V, F>>(
               guarantee, key, nothing, "hash_map::update", where, container::carried_function(f),
               initial) == found;
  }

  /// Atomically calls f(value, operands...); a new key starts with V(). Cost: as update().
  ///
  ///     map.apply(word, [](std::vector<int>& places, int place) { places.push_back(place); }, 7);
  ///
  /// Rules for f: as update(). If another rank adds the key meanwhile, f may run on a V() that is
  /// discarded, then again.
  /// @return result of f
  template <class F, class... Operands>
    requires std::default_initializable<V> && application_to<F, V, Operands...>
  auto apply(const K& key, F f, const Operands&... operands) {
    return apply(key, no_guarantee{}, f, operands...);
  }
  template <guarantee_allowing<container_operation::update> Guarantee, class F, class... Operands>
    requires std::default_initializable<V> && application_to<F, V, Operands...>
  auto apply(const K& key, Guarantee guarantee, F f, const Operands&... operands) {
    using result_type = std::invoke_result_t<F&, V&, const Operands&...>;
    constexpr const char* call = "hash_map::apply";
    const auto& all = this->get_table(call);
    return take_applied(all, key, call,
                        all.template apply<result_type>(guarantee, key, f, call, operands...));
  }
  template <class... Operands>
  void apply(const K&, std::type_identity_t<container::a_function_of_the_value<V, Operands...>>,
             const Operands&...);

  /// Adds to the value; adds an absent key, counted as 0. Cost: as insert_or_assign().
  /// @return the value before
  template <guarantee_allowing<container_operation::update> Guarantee = no_guarantee>
  V fetch_add(const K& key, std::type_identity_t<V> amount, Guarantee guarantee = {},
              const site& where = site::current())
    requires std::integral<V>
  {
    std::optional<V> before;
    parent::template perform<container::add_operation<V>>(guarantee, key, before,
                                                          "hash_map::fetch_add", where, amount);
    return *before;
  }

  // --- one key, asynchronous ---
  //
  // Futures are ready at once within the node, else in a later progress() or wait. Collective calls
  // and the destructor wait for these operations.

  template <guarantee_allowing<container_operation::insert> Guarantee = no_guarantee>
  [[nodiscard]] future<bool> insert_async(const K& key, const V& value, Guarantee guarantee = {}) {
    return parent::template start<container::insert_operation<V>>(
        guarantee, key, "hash_map::insert_async", parent::is_added, value);
  }
  template <guarantee_allowing<container_operation::update> Guarantee = no_guarantee>
  [[nodiscard]] future<bool> insert_or_assign_async(const K& key, const V& value,
                                                    Guarantee guarantee = {}) {
    return parent::template start<container::assign_operation<V>>(
        guarantee, key, "hash_map::insert_or_assign_async", parent::is_added, value);
  }
  template <guarantee_allowing<container_operation::find> Guarantee = no_guarantee>
  [[nodiscard]] future<std::optional<V>> find_async(const K& key, Guarantee guarantee = {}) const {
    return parent::template start<container::find_operation<V>>(
        guarantee, key, "hash_map::find_async",
        [](met&& result) { return std::move(result.value); });
  }
  template <update_of<V> F,
            guarantee_allowing<container_operation::update> Guarantee = no_guarantee>
  [[nodiscard]] future<bool> update_async(const K& key, F f, const std::type_identity_t<V>& initial,
                                          Guarantee guarantee = {}) {
    return parent::template start<container::update_operation<V, F>>(
        guarantee, key, "hash_map::update_async",
        [](const met& result) { return result.what == found; }, container::carried_function(f),
        initial);
  }
  template <class F, class... Operands>
    requires std::default_initializable<V> && application_to<F, V, Operands...>
  [[nodiscard]] auto apply_async(const K& key, F f, const Operands&... operands) {
    return apply_async(key, no_guarantee{}, f, operands...);
  }
  template <guarantee_allowing<container_operation::update> Guarantee, class F, class... Operands>
    requires std::default_initializable<V> && application_to<F, V, Operands...>
  [[nodiscard]] auto apply_async(const K& key, Guarantee guarantee, F f,
                                 const Operands&... operands) {
    using result_type = std::invoke_result_t<F&, V&, const Operands&...>;
    constexpr const char* call = "hash_map::apply_async";
    const auto& all = this->get_table(call);
    return all.template start_apply<result_type>(
        guarantee, key, f, call,
        [&all, key](container::application<result_type>&& done) {
          return take_applied(all, key, call, std::move(done));
        },
        operands...);
  }
  template <class... Operands>
  future<global::fits_everything> apply_async(
      const K&, std::type_identity_t<container::a_function_of_the_value<V, Operands...>>,
      const Operands&...);
  template <guarantee_allowing<container_operation::update> Guarantee = no_guarantee>
  [[nodiscard]] future<V> fetch_add_async(const K& key, std::type_identity_t<V> amount,
                                          Guarantee guarantee = {})
    requires std::integral<V>
  {
    return parent::template start<container::add_operation<V>>(
        guarantee, key, "hash_map::fetch_add_async", [](met&& result) { return *result.value; },
        amount);
  }

  // --- many keys ---
  //
  // Prefetched and sent together: several times faster than single calls. Cost: as for each key,
  // but at other nodes 2 M per full message. Not atomic as a whole.

  /// Performs insert(keys[i], values[i]) for each i.
  /// @return number of keys added
  /// @throws acre::error if some found no free bucket, with all others added; after other errors
  /// some are added
  template <guarantee_allowing<container_operation::insert> Guarantee = no_guarantee>
  std::uint64_t insert_many(std::span<const K> keys, std::span<const V> values,
                            Guarantee guarantee = {}, const site& where = site::current()) {
    container::check_as_many("hash_map::insert_many", keys.size(), values.size());
    return parent::template change_many<container::insert_operation<V>>(
        guarantee, keys, [&](std::uint64_t i) { return std::tie(values[i]); },
        "hash_map::insert_many", where);
  }

  // --- all keys ---

  /// Adds the entries of `other`, of the same team, whose keys are absent. Collective. Cost: sync()
  /// of both + 2 allreduces; resize() if all entries do not fit; l for each entry of `other`.
  /// @throws acre::error on all members, after some changes if a function of the user throws
  void merge(const hash_map& other, const site& where = site::current()) {
    parent::merge_with(other, "hash_map::merge", where,
                       [](auto& part, const K& key, std::uint64_t hash, const V& value) {
                         return part.insert(key, hash, value);
                       });
  }
  /// As above, but calls combine(value, value of other), which changes `value`, for keys of both,
  /// on their owner under a lock. It must be short and not call Acre.
  template <std::invocable<V&, const V&> Combine>
  void merge(const hash_map& other, Combine combine, const site& where = site::current()) {
    parent::merge_with(other, "hash_map::merge", where,
                       [&](auto& part, const K& key, std::uint64_t hash, const V& value) {
                         return part.upsert(
                             key, hash,
                             [&](V& mine) {
                               const runtime::under_container_lock held;
                               combine(mine, value);
                             },
                             [&]() -> const V& { return value; });
                       });
  }

 private:
  template <class R>
  static R take_applied(const auto& all, const K& key, const char* call,
                        container::application<R>&& done) {
    parent::check_room(all, done.what, key, call);
    if constexpr (!std::is_void_v<R>) return std::move(*done.result);
  }
};

}  // namespace acre
