// SPDX-License-Identifier: BSD-3-Clause
// A hash map spread over the ranks of a team.
//
//     acre::hash_map<std::uint64_t, std::uint32_t> counts(acre::world(), 1 << 24);
//     counts.insert(42, 1);
//     counts.fetch_add(42, 10);
//     if (auto count = counts.find(42)) …
//
// The hash of a key says which rank owns it and where in that rank's buckets it
// lies. Operations are one-sided: any rank works directly on the owner's buckets
// where it can address them (its own node), and asks the owner with one message
// elsewhere; the owner need not take part. Any ranks and threads may operate at
// once; values are never seen half-written, however wide.
//
// Who knows what the others do meanwhile may guarantee it, and saves atomics: see
// guarantee.hpp. Keys and values may be of any type that can be sent; those of no
// fixed size lie in blocks of the private heaps (global/stored.hpp).
//
// Memory order: what a rank wrote before an insert or update of a key is seen by
// those who find the new value (release and acquire), on all nodes.
//
// Costs are of the best case, to memory of this node, for keys and values that lie
// in place (each that does not costs one R or W more); to another node each
// operation is 2 M, one round trip, whatever was guaranteed: no network at hand has
// atomics that the CPUs of the target respect. With the guarantee `local` all is l.
// What no message carries in one piece (some ten kilobytes, to another node) costs 2 M
// and a W more on its way there, an R and an M more on its way back.
//
// Making, resizing, clearing and destroying are collective. To fill a map at
// full speed, use a writer: buffered, in buffered.hpp. How it works:
// detail/hash_part.hpp (one part), detail/hash_parts.hpp (all of them and one key),
// detail/hash_table.hpp (what all ranks do together).
#pragma once

#include <acre/base/site.hpp>
#include <acre/base/unique_object.hpp>
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
#include <type_traits>
#include <utility>

namespace acre {

namespace container {
// Parameters of overloads that only refuse: compilers show the line of a deleted constructor.
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

/// Construction, erasing, walks, finding in bulk, sizes and collective calls:
/// detail/hash_container.hpp.
/// Moves: local. Destruction: collective, B; maps may be destroyed in any order.
/// @tparam K, V  any storable type: trivially copyable (in place), or one that can be
///               sent (serialization.hpp); in place both take together at most 64 KiB
/// @tparam Hash, Equal  without state; called by any thread, at the owner too
template <storable K, storable V, hash_for<K> Hash = hash<K>,
          equality_for<K> Equal = equal_by_operator>
class hash_map : public container::hash_container_of_values<K, V, Hash, Equal> {
  using parent = container::hash_container_of_values<K, V, Hash, Equal>;
  using parent::added, parent::found, parent::as_key;
  using typename parent::met;

 public:
  using parent::parent;

  // --- one key -------------------------------------------------------------------
  // All of these: any thread; at most one waits for another only while a bucket
  // is being changed. The last argument may be a guarantee (guarantee.hpp).
  // @throws what Hash and Equal throw, with nothing changed; acre::error when a
  //         guarantee is broken, in builds with ACRE_CHECKS

  /// Adds the key unless it is there. Cost: R when it is there, else A + W at
  /// its home, 2 A + W elsewhere and R for each bucket looked at on the way.
  /// @return whether it was added
  /// @throws acre::error when the owner's part is full near the key's home; nothing is lost
  bool insert(const K& key, const V& value, const site& where = site::current()) {
    return insert(key, value, no_guarantee{}, where);
  }
  // Compile errors for all other arguments.
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

  /// Sets the value, whether the key is there or not. Cost: R + A + W; new: R and
  /// as insert.
  /// @return whether it was added
  bool insert_or_assign(const K& key, const V& value, const site& where = site::current()) {
    return insert_or_assign(key, value, no_guarantee{}, where);
  }
  // Compile errors for all other arguments.
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

  /// The value, if the key is there. Cost: R, whether it is there or not.
  template <lookup_key<K, Hash, Equal> Key = K,
            guarantee_allowing<container_operation::find> Guarantee = no_guarantee>
  [[nodiscard]] std::optional<V> find(const Key& key, Guarantee guarantee = {},
                                      const site& where = site::current()) const {
    std::optional<V> value;
    parent::template perform<container::find_operation<V>>(guarantee, as_key(key), value,
                                                           "hash_map::find", where);
    return value;
  }

  /// Replaces the value x by f(x), or lets f change it in place, in one step for
  /// all others; or adds the key with `initial`. Cost: R + A + W; new: R and
  /// as insert.
  ///
  /// f is called at most once, under a lock: it must be short and must not call
  /// Acre (progress that it made could meet that lock). If it throws, nothing has
  /// changed. To another node f travels byte by byte and runs in the owner's own
  /// calls (progress, waits): the cost there is 2 M and the owner's attention, that
  /// is, the time until the owner next waits or calls progress().
  /// @return whether the key was there
  /// @throws acre::error when f calls update or apply, waits, or calls a collective
  template <update_of<V> F,
            guarantee_allowing<container_operation::update> Guarantee = no_guarantee>
  bool update(const K& key, F f, const std::type_identity_t<V>& initial, Guarantee guarantee = {},
              const site& where = site::current()) {
    std::optional<V> nothing;
    return parent::template perform<container::update_operation<V, F>>(
               guarantee, key, nothing, "hash_map::update", where, container::carried_function(f),
               initial) == found;
  }

  /// Calls f(value, operands...) on the key's value, in one step for all others; a new key begins
  /// with V(). To another node the operands travel as those of an RPC do, of any type that
  /// serialises, and f byte by byte. Cost: R + A + W; new: R and as insert; to another node 2 M and
  /// the owner's attention, as update().
  ///
  ///     map.apply(word, [](std::vector<int>& places, int place) { places.push_back(place); }, 7);
  ///
  /// f runs under a lock, and is held to what update() says of it; where another rank adds the key
  /// at the same time f may run on a V() that is thrown away, and then again.
  /// @return what f returns
  template <class F, class... Operands>
    requires std::default_initializable<V> && application_to<F, V, Operands...>
  auto apply(const K& key, F f, const Operands&... operands) {
    return apply(key, no_guarantee{}, f, operands...);
  }
  /// A guarantee stands before the function: any number of operands may follow that.
  template <guarantee_allowing<container_operation::update> Guarantee, class F, class... Operands>
    requires std::default_initializable<V> && application_to<F, V, Operands...>
  auto apply(const K& key, Guarantee guarantee, F f, const Operands&... operands) {
    using result_type = std::invoke_result_t<F&, V&, const Operands&...>;
    constexpr const char* call = "hash_map::apply";
    const auto& all = this->get_table(call);
    return take_applied(all, key, call,
                        all.template apply<result_type>(guarantee, key, f, call, operands...));
  }
  /// A compile error for all other functions.
  template <class... Operands>
  void apply(const K&, std::type_identity_t<container::a_function_of_the_value<V, Operands...>>,
             const Operands&...);

  /// Adds to the value; an absent key counts as 0 and is added. Cost: R + A + W;
  /// new: R and as insert.
  /// @return the value before, 0 for a new key
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

  // --- one key, without waiting ------------------------------------------------------
  // As the above, with a future of the result: it is ready at once for memory of
  // this node; other nodes answer in a later progress() or wait. What the above
  // throw, the future has. They must be ready before the map ends; collective
  // calls and the destructor see to it.

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
  /// A compile error for all other functions.
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

  // --- many keys -----------------------------------------------------------------------
  // Several times as fast as one by one: keys are prefetched, and those of other
  // nodes travel together. Costs are those of each key; M: 2 for each message full
  // of keys. No step for all of them: others may see some done and some not.

  /// As insert(keys[i], values[i]) for each i.
  /// @return how many were added
  /// @throws acre::error when some found no room; all others are in then. When Hash or
  ///         Equal throw, or the private heap is full, some of the others are in
  template <guarantee_allowing<container_operation::insert> Guarantee = no_guarantee>
  std::uint64_t insert_many(std::span<const K> keys, std::span<const V> values,
                            Guarantee guarantee = {}, const site& where = site::current()) {
    container::check_as_many("hash_map::insert_many", keys.size(), values.size());
    return parent::template change_many<container::insert_operation<V>>(
        guarantee, keys, [&](std::uint64_t i) { return std::tie(values[i]); },
        "hash_map::insert_many", where);
  }

 private:
  /// The result of a function that was applied.
  template <class R>
  static R take_applied(const auto& all, const K& key, const char* call,
                        container::application<R>&& done) {
    parent::check_room(all, done.what, key, call);
    if constexpr (!std::is_void_v<R>) return std::move(*done.result);
  }
};

}  // namespace acre
