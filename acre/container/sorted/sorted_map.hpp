// SPDX-License-Identifier: BSD-3-Clause
// Map distributed over a team by ranges of keys.
//
//     acre::sorted_map<std::uint64_t, double> samples(acre::world(), times_of_this_rank);
//     samples.insert(time, value);
//     samples.for_each_in(from, to, [](std::uint64_t time, double value) { … });
//     samples.rebalance();
//
// Member 0 owns the least keys. Each rank holds the splitters, so an operation is direct within a
// node, else one message. Operations on a key are linearizable. Changes of a part exclude each
// other; reads take no lock. Writes before a change are visible to ranks that find its value.
//
// Costs are best cases within a node; other nodes: 2 M, operands beyond a message 2 M + W, results
// M + R; guarantee `local`: l. A read repeated during changes: R or A more. Comparing keys of
// varying size copies them.
#pragma once

#include <acre/base/bits.hpp>
#include <acre/base/site.hpp>
#include <acre/base/unique_object.hpp>
#include <acre/container/detail/as_many.hpp>
#include <acre/container/guarantee.hpp>
#include <acre/container/order.hpp>
#include <acre/container/sorted/detail/sorted_scan.hpp>
#include <acre/container/sorted/detail/sorted_table.hpp>
#include <acre/global/future/future.hpp>
#include <acre/global/team/team.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace acre {

namespace container {
template <class F, class K, class V>
inline constexpr bool takes_a_const_key_and_a_const_value_in_order =
    std::invocable<F&, const K&, const V&>;
}  // namespace container

/// Moves: local. Destruction: collective, in the same order on all members, B.
/// @tparam K, V  trivially copyable (at most 64 KiB together) or serializable
/// @tparam Compare  strict weak order, stateless; called in any thread, at the owner too
template <storable K, storable V, order_for<K> Compare = less_by_operator>
class sorted_map {
  using table = container::sorted_table<K, V, Compare>;
  using cursor = container::sorted_cursor<K, V, Compare>;
  using met = container::sorted_met<V>;

 public:
  using key_type = K;
  using mapped_type = V;
  using value_type = std::pair<K, V>;
  using key_compare = Compare;
  using entry_range = container::sorted_entries<K, V, Compare>;

  sorted_map() = default;

  /// Collective. Cost: 2 allgathers + 1 allreduce.
  /// @param sample  typical keys; splitters divide all members' samples equally, or member 0 owns
  /// all keys until rebalance().
  /// @throws acre::error on all members if one lacks memory
  explicit sorted_map(const team& members, std::span<const K> sample = {},
                      const site& where = site::current())
      : table_(base::make_unique_object<table>(members, sample, where)) {}

  // --- one key ---
  //
  // Any thread. Last argument: optional guarantee.
  // @throws exceptions of Compare, before any change; acre::error for a broken guarantee
  // (ACRE_CHECKS), or if memory here, or of a far owner, is full

  /// Cost: A + W; A if present.
  /// @return true if added
  template <guarantee_allowing<container_operation::insert> Guarantee = no_guarantee>
  bool insert(const K& key, const V& value, Guarantee guarantee = {},
              const site& where = site::current()) {
    return perform<container::sorted_put<V, container::put_kind::if_absent>>(
               guarantee, key, "sorted_map::insert", where, value)
        .is_done;
  }

  /// Cost: A + W.
  /// @return true if added
  template <guarantee_allowing<container_operation::update> Guarantee = no_guarantee>
  bool insert_or_assign(const K& key, const V& value, Guarantee guarantee = {},
                        const site& where = site::current()) {
    return perform<container::sorted_put<V, container::put_kind::assign>>(
               guarantee, key, "sorted_map::insert_or_assign", where, value)
        .is_done;
  }

  template <guarantee_allowing<container_operation::find> Guarantee = no_guarantee>
  [[nodiscard]] std::optional<V> find(const K& key, Guarantee guarantee = {},
                                      const site& where = site::current()) const {
    return perform<container::sorted_find<V>>(guarantee, key, "sorted_map::find", where).value;
  }

  /// Cost: R.
  template <guarantee_allowing<container_operation::find> Guarantee = no_guarantee>
  [[nodiscard]] bool contains(const K& key, Guarantee guarantee = {},
                              const site& where = site::current()) const {
    return perform<container::sorted_contains<V>>(guarantee, key, "sorted_map::contains", where)
        .is_done;
  }

  /// Cost: A + W; A if absent.
  /// @return true if present
  template <guarantee_allowing<container_operation::erase> Guarantee = no_guarantee>
  bool erase(const K& key, Guarantee guarantee = {}, const site& where = site::current()) {
    return perform<container::sorted_erase<V>>(guarantee, key, "sorted_map::erase", where).is_done;
  }

  // --- one key, asynchronous ---
  //
  // As hash_map. Collective calls and the destructor wait.

  template <guarantee_allowing<container_operation::insert> Guarantee = no_guarantee>
  [[nodiscard]] future<bool> insert_async(const K& key, const V& value, Guarantee guarantee = {}) {
    return start<container::sorted_put<V, container::put_kind::if_absent>>(
        guarantee, key, "sorted_map::insert_async", is_done, value);
  }
  template <guarantee_allowing<container_operation::update> Guarantee = no_guarantee>
  [[nodiscard]] future<bool> insert_or_assign_async(const K& key, const V& value,
                                                    Guarantee guarantee = {}) {
    return start<container::sorted_put<V, container::put_kind::assign>>(
        guarantee, key, "sorted_map::insert_or_assign_async", is_done, value);
  }
  template <guarantee_allowing<container_operation::find> Guarantee = no_guarantee>
  [[nodiscard]] future<std::optional<V>> find_async(const K& key, Guarantee guarantee = {}) const {
    return start<container::sorted_find<V>>(guarantee, key, "sorted_map::find_async",
                                            [](met&& result) { return std::move(result.value); });
  }
  template <guarantee_allowing<container_operation::erase> Guarantee = no_guarantee>
  [[nodiscard]] future<bool> erase_async(const K& key, Guarantee guarantee = {}) {
    return start<container::sorted_erase<V>>(guarantee, key, "sorted_map::erase_async", is_done);
  }

  // --- many keys ---
  //
  // Cost: per key; other nodes 2 M per full message. Not atomic as a whole.

  /// @return number of keys added
  template <guarantee_allowing<container_operation::insert> Guarantee = no_guarantee>
  std::uint64_t insert_many(std::span<const K> keys, std::span<const V> values,
                            Guarantee guarantee = {}, const site& where = site::current()) {
    constexpr const char* call = "sorted_map::insert_many";
    container::check_as_many(call, keys.size(), values.size());
    std::uint64_t added = 0;
    get(call).template perform_many<container::sorted_put<V, container::put_kind::if_absent>>(
        guarantee, keys, [&](std::uint64_t i) { return std::tie(values[i]); },
        [&](std::uint64_t, const met& result) { added += result.is_done ? 1 : 0; }, call, where);
    return added;
  }

  template <guarantee_allowing<container_operation::find> Guarantee = no_guarantee>
  [[nodiscard]] std::vector<std::optional<V>> find_many(std::span<const K> keys,
                                                        Guarantee guarantee = {},
                                                        const site& where = site::current()) const {
    constexpr const char* call = "sorted_map::find_many";
    std::vector<std::optional<V>> results(keys.size());
    get(call).template perform_many<container::sorted_find<V>>(
        guarantee, keys, [](std::uint64_t) { return std::tuple<>(); },
        [&](std::uint64_t i, met&& result) { results[i] = std::move(result.value); }, call, where);
    return results;
  }

  // --- order ---
  //
  // Copies. Each read of up to 1024 entries sees one state of a part; a key that exists throughout
  // is visited once. Cost: R per entry; other nodes: 2 M per full message or empty member.

  /// First entry >= `key`, if any. Cost: R; other nodes 2 M.
  template <guarantee_allowing<container_operation::find> Guarantee = no_guarantee>
  [[nodiscard]] std::optional<value_type> lower_bound(const K& key, Guarantee guarantee = {},
                                                      const site& where = site::current()) const {
    return first_from(key, false, guarantee, "sorted_map::lower_bound", where);
  }
  /// First entry > `key`, if any. Cost: as lower_bound().
  template <guarantee_allowing<container_operation::find> Guarantee = no_guarantee>
  [[nodiscard]] std::optional<value_type> upper_bound(const K& key, Guarantee guarantee = {},
                                                      const site& where = site::current()) const {
    return first_from(key, true, guarantee, "sorted_map::upper_bound", where);
  }

  /// Calls f(key, value) in order for `first` <= key < `last`. f may operate on the map.
  template <class F, guarantee_allowing<container_operation::find> Guarantee = no_guarantee>
    requires container::takes_a_const_key_and_a_const_value_in_order<F, K, V>
  void for_each_in(const K& first, const K& last, F&& f, Guarantee = {},
                   const site& where = site::current()) const {
    visit(container::sorted_cursor<K, V, Compare, Guarantee>(get("sorted_map::for_each_in"), first,
                                                             false, last),
          f, "sorted_map::for_each_in", where);
  }

  /// As for_each_in(), for this rank's entries. l.
  template <class F>
    requires container::takes_a_const_key_and_a_const_value_in_order<F, K, V>
  void for_each_local(F&& f, const site& where = site::current()) const {
    constexpr const char* call = "sorted_map::for_each_local";
    const rank_t mine = get(call).members().rank();
    visit(cursor(get(call), mine, mine), f, call, where);
  }

  /// Keys from `first` to before `last`.
  [[nodiscard]] entry_range in(const K& first, const K& last) const {
    return entry_range(cursor(get("sorted_map::in"), first, false, last));
  }
  /// Keys from `first` on.
  [[nodiscard]] entry_range from(const K& first) const {
    return entry_range(cursor(get("sorted_map::from"), first, false, std::nullopt));
  }
  /// This rank's entries. l.
  [[nodiscard]] entry_range local() const {
    const table& all = get("sorted_map::local");
    return entry_range(cursor(all, all.members().rank(), all.members().rank()));
  }
  [[nodiscard]] entry_range own_elements() const { return local(); }
  [[nodiscard]] typename entry_range::iterator begin() const {
    const table& all = get("sorted_map::begin");
    return typename entry_range::iterator(cursor(all, 0, all.members().size() - 1));
  }
  [[nodiscard]] std::default_sentinel_t end() const noexcept { return {}; }

  // --- parts ---

  /// l: a binary search in size() - 1 splitters.
  [[nodiscard]] member owner(const K& key) const {
    const table& all = get("sorted_map::owner");
    return all.members()[all.owner_of(key)];
  }
  /// Number of this rank's entries. l.
  [[nodiscard]] std::uint64_t local_size() const {
    return get("sorted_map::local_size").local_part().size();
  }
  /// Number of all entries. Collective. Cost: B + 1 allreduce.
  [[nodiscard]] std::uint64_t size(const site& where = site::current()) const {
    return get("sorted_map::size").size(where);
  }
  /// Makes parts differ by at most one entry, and invalidates iterators. Collective, without
  /// concurrent use. Cost: 2 B + 2 allgathers + 3 allreduces, a round of a distributor; l per
  /// entry.
  /// @throws acre::error on all members, without a change, if one lacks memory
  void rebalance(const site& where = site::current()) {
    get("sorted_map::rebalance").rebalance(where);
  }
  /// Completes operations. Collective. Cost: B.
  void sync(const site& where = site::current()) const {
    get("sorted_map::sync").sync("sorted_map::sync", where);
  }
  /// Keys keep their owners. Collective. Cost: 2 B.
  void clear(const site& where = site::current()) { get("sorted_map::clear").clear(where); }

  [[nodiscard]] const team& members() const { return get("sorted_map::members").members(); }
  /// False if null.
  [[nodiscard]] explicit operator bool() const noexcept { return table_ != nullptr; }

 private:
  static constexpr auto is_done = [](const met& result) { return result.is_done; };

  [[nodiscard]] table& get(const char* call) const {
    return global::require_object(table_.get(), call, "map", "sorted_map{team}");
  }

  template <class Operation, class Guarantee, class... Operands>
  met perform(Guarantee guarantee, const K& key, const char* call, const site& where,
              const Operands&... operands) const {
    return get(call).template perform<Operation>(guarantee, key, call, where, operands...);
  }
  template <class Operation, class Guarantee, class Convert, class... Operands>
  auto start(Guarantee guarantee, const K& key, const char* call, Convert convert,
             const Operands&... operands) const {
    return get(call).template start<Operation>(guarantee, key, call, convert, operands...);
  }

  template <class Guarantee>
  std::optional<value_type> first_from(const K& key, bool is_after, Guarantee, const char* call,
                                       const site& where) const {
    container::sorted_cursor<K, V, Compare, Guarantee> from(get(call), key, is_after, std::nullopt);
    typename cursor::entries first;
    if (!from.next(first, 1, call, where)) return std::nullopt;
    return std::move(first.front());
  }

  template <class Cursor, class F>
  static void visit(Cursor from, F& f, const char* call, const site& where) {
    typename cursor::entries some;
    std::size_t at_once = container::first_entries_at_once;
    while (from.next(some, at_once, call, where)) {
      for (const auto& [key, value] : some) f(key, value);
      at_once = smaller(2 * at_once, container::most_entries_at_once);
    }
  }

  base::unique_object<table> table_;
};

}  // namespace acre
