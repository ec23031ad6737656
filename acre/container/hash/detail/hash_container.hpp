// SPDX-License-Identifier: BSD-3-Clause
// Base of the hash containers: a movable handle to the table.
#pragma once

#include <acre/base/site.hpp>
#include <acre/base/unique_object.hpp>
#include <acre/container/detail/as_many.hpp>
#include <acre/container/guarantee.hpp>
#include <acre/container/hash/detail/hash_many.hpp>
#include <acre/container/hash/detail/hash_operations.hpp>
#include <acre/container/hash/detail/hash_scan.hpp>
#include <acre/container/hash/detail/hash_table.hpp>
#include <acre/container/hash/detail/value_list.hpp>
#include <acre/container/hash/growth.hpp>
#include <acre/container/hash/hash_statistics.hpp>
#include <acre/global/future/future.hpp>
#include <acre/global/team/team.hpp>

#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace acre::container {

template <class F, class K, class V>
inline constexpr bool takes_a_const_key_and_a_const_value = std::invocable<F, const K&, const V&>;

struct a_capacity_as_a_number {
  template <class X>
    requires std::is_scalar_v<std::decay_t<X>> && (!std::is_arithmetic_v<std::decay_t<X>>)
  a_capacity_as_a_number(const X&) = delete;  // hash_map<K, V>(team, 4096)
};

template <class K, class V, class Hash, class Equal, class Shown>
class hash_container {
 protected:
  using table = hash_table<K, V, Hash, Equal>;

 public:
  using key_type = K;
  using mapped_type = listed_t<V>;
  using hasher = Hash;
  using key_equal = Equal;
  using entry_range = hash_entries<table, K, listed_t<V>, Shown>;

  /// Null handle.
  hash_container() = default;

  /// Makes an empty container of at least `capacity` buckets, at least one per member. Collective.
  /// Cost: 1 allgather + 1 allreduce; touches its memory.
  /// With good hashes a part accepts all keys up to load 0.8. It rejects a key only if the 1024
  /// buckets from its home, or all, are occupied. Searches read at most 1024 buckets.
  /// @param grows  see growth.hpp
  /// @throws acre::error on all members if one lacks memory
  hash_container(const team& members, std::uint64_t capacity, growth grows = growth::manual,
                 const site& where = site::current())
      : table_(base::make_unique_object<table>(members, capacity, grows, "hash_map", where)) {}
  explicit hash_container(std::uint64_t capacity, growth grows = growth::manual,
                          const site& where = site::current())
      : hash_container(world(), capacity, grows, where) {}
  hash_container(global::the_team_before_the_size, const team&);
  explicit hash_container(a_capacity_as_a_number);
  hash_container(const team&, a_capacity_as_a_number);

  /// True if present. Cost: R; at other nodes as hash_map::find().
  template <lookup_key<K, Hash, Equal> Key = K,
            guarantee_allowing<container_operation::find> Guarantee = no_guarantee>
  [[nodiscard]] bool contains(const Key& key, Guarantee guarantee = {},
                              const site& where = site::current()) const {
    std::optional<V> nothing;
    return perform<contains_operation<V>>(guarantee, as_key(key), nothing, "hash_map::contains",
                                          where) == found;
  }

  /// Erases the key. Cost: R + A.
  /// @return true if the key was present
  template <lookup_key<K, Hash, Equal> Key = K,
            guarantee_allowing<container_operation::erase> Guarantee = no_guarantee>
  bool erase(const Key& key, Guarantee guarantee = {}, const site& where = site::current()) {
    std::optional<V> nothing;
    return perform<erase_operation<V>>(guarantee, as_key(key), nothing, "hash_map::erase", where) ==
           erased;
  }

  template <guarantee_allowing<container_operation::erase> Guarantee = no_guarantee>
  [[nodiscard]] future<bool> erase_async(const K& key, Guarantee guarantee = {}) {
    return start<erase_operation<V>>(guarantee, key, "hash_map::erase_async",
                                     [](const met& result) { return result.what == erased; });
  }

  /// Owner of the key. l.
  template <lookup_key<K, Hash, Equal> Key = K>
  [[nodiscard]] member owner(const Key& key) const {
    const table& all = get_table("hash_map::owner");
    return all.members()[all.locate(as_key(key)).owner];
  }

  /// Copies of this rank's entries. Concurrent changes may be missed. l.
  [[nodiscard]] entry_range local() const {
    const table& all = get_table("hash_map::local");
    return {all, all.members().rank(), all.members().rank() + 1};
  }

  /// As local(), for loops and reductions over all entries (algorithm/elements.hpp).
  [[nodiscard]] entry_range own_elements() const { return local(); }

  /// Iterates over all entries, rank by rank, on any rank; may miss concurrent changes. Valid until
  /// the map's next collective call. Cost: R per entry; at other nodes 2 M per full message.
  [[nodiscard]] typename entry_range::iterator begin() const {
    const table& all = get_table("hash_map::begin");
    return {all, 0, all.members().size()};
  }
  [[nodiscard]] typename entry_range::iterator end() const {
    const table& all = get_table("hash_map::end");
    return {all, all.members().size(), all.members().size()};
  }

  /// Number of this rank's entries. l.
  [[nodiscard]] std::uint64_t local_size() const {
    return get_table("hash_map::local_size").local_size();
  }
  /// Number of all entries, after all members' operations. Collective. Cost: as sync() + 1
  /// allreduce. An automatic map may grow, which invalidates iterators.
  [[nodiscard]] std::uint64_t size(const site& where = site::current()) const {
    return get_table("hash_map::size").size(where);
  }
  /// Number of buckets. l.
  [[nodiscard]] std::uint64_t capacity() const {
    return get_table("hash_map::capacity").capacity();
  }
  /// Collective, as size().
  [[nodiscard]] double load_factor(const site& where = site::current()) const {
    const auto entries = static_cast<double>(size(where));
    return entries / static_cast<double>(capacity());
  }
  [[nodiscard]] const team& members() const { return get_table("hash_map::members").members(); }
  /// False if null or moved from.
  [[nodiscard]] explicit operator bool() const noexcept { return table_ != nullptr; }

  /// Completes all members' operations; an automatic map may grow. Collective. Cost: B; if
  /// automatic, 2 B + 1 allreduce.
  void sync(const site& where = site::current()) { get_table("hash_map::sync").sync(where); }

  /// Removes all entries. Cost: 2 B.
  void clear(const site& where = site::current()) { get_table("hash_map::clear").clear(where); }

  /// Moves all entries to `capacity` buckets. Keys keep their owners, writers their items.
  /// Collective. Cost: 2 B + 1 allgather + 2 allreduces, l for each entry.
  /// @throws acre::error on all members, without a change, if entries do not fit or memory is short
  void resize(std::uint64_t capacity, const site& where = site::current()) {
    get_table("hash_map::resize").resize(capacity, where);
  }

  /// As resize(), but never below the need of the entries. Cost: B + 1 allreduce more.
  void rehash(std::uint64_t capacity, const site& where = site::current()) {
    get_table("hash_map::rehash").rehash(capacity, where);
  }
  /// Makes room for `entries` entries with good hashes, the maximum over members. Collective. Cost:
  /// 1 allreduce; if it grows, as rehash().
  /// @throws acre::error as resize()
  void reserve(std::uint64_t entries, const site& where = site::current()) {
    get_table("hash_map::reserve").reserve(entries, where);
  }

  /// Doubles the capacity until no part is fuller than `most_load`. Cost: B + 1 allreduce; if it
  /// grows, resize().
  /// @return true if it grew
  /// @throws acre::error on all members if `most_load` differs or is not above 0; as resize()
  bool grow_if_needed(double most_load = usual_load, const site& where = site::current()) {
    return get_table("hash_map::grow_if_needed").grow_if_needed(most_load, where);
  }

  /// Collective. Cost: as sync() + 1 allreduce + 1 allgather, l for each entry.
  [[nodiscard]] hash_statistics statistics(const site& where = site::current()) const {
    return get_table("hash_map::statistics").statistics(where);
  }

  /// Internal table, whose address survives moves of the container.
  [[nodiscard]] table& guts() const { return get_table("hash_map"); }

 protected:
  using met = container::met<V>;
  static constexpr auto found = outcome::found;
  static constexpr auto added = outcome::added;
  static constexpr auto erased = outcome::erased;
  static constexpr auto is_added = [](const auto& result) { return result.what == added; };

  template <class Key>
  static decltype(auto) as_key(const Key& key) {
    if constexpr (std::same_as<Key, K> || transparent_key<Key, K, Hash, Equal>) {
      return (key);
    } else {
      return static_cast<K>(key);
    }
  }

  template <class Operation, class Guarantee, class Key, class... Operands>
  outcome perform(Guarantee guarantee, const Key& key,
                  std::optional<result_of<Operation, V>>& value, const char* call,
                  const site& where, const Operands&... operands) const {
    const table& all = get_table(call);
    const outcome what =
        all.template perform<Operation>(guarantee, key, value, call, where, operands...);
    check_room(all, what, key, call);
    return what;
  }

  template <class Operation, class Guarantee, class Operands>
  std::uint64_t change_many(Guarantee guarantee, std::span<const K> keys, Operands&& operands,
                            const char* call, const site& where) const {
    const table& all = get_table(call);
    std::uint64_t number = 0;
    std::uint64_t refused = 0;
    all.template perform_many<Operation>(
        guarantee, keys, operands,
        [&](std::uint64_t, const auto& result) {
          if (result.what == added) ++number;
          if (is_refused(result.what)) ++refused;
        },
        call, where);
    if (refused != 0) throw_many_refused(call, refused, all.grows(), all.capacity());
    return number;
  }

  template <class Operation, class Guarantee, class Convert, class... Operands>
  auto start(Guarantee guarantee, const K& key, const char* call, Convert convert,
             const Operands&... operands) const {
    const table& all = get_table(call);
    return all.template start<Operation>(
        guarantee, key, call,
        [&all, key, call, convert](container::met<result_of<Operation, V>>&& result) {
          check_room(all, result.what, key, call);
          return convert(std::move(result));
        },
        operands...);
  }

  template <class Add>
  void merge_with(const hash_container& other, const char* call, const site& where, Add&& add) {
    get_table(call).merge(other.get_table(call), call, where, add);
  }

  template <class F>
  void visit_local(F&& f) const {
    const table& all = get_table("hash_map::for_each_local");
    const auto part = all.local_part();
    all.note(part, container_operation::find, "hash_map::for_each_local");
    part.view().for_each(f);
  }

  template <class Key>
  static void check_room(const table& all, outcome what, const Key& key, const char* call) {
    if (is_refused(what)) [[unlikely]] {
      throw_table_full(call, what, all.grows(), all.capacity(), all.locate(key).owner,
                       all.members().size());
    }
  }

  [[nodiscard]] table& get_table(const char* call) const {
    return global::require_object(table_.get(), call, "map", "hash_map{team, capacity}");
  }

 private:
  base::unique_object<table> table_;
};

template <class K, class V, class Hash, class Equal>
class hash_container_of_values : public hash_container<K, V, Hash, Equal, whole_entry> {
  using parent = hash_container<K, V, Hash, Equal, whole_entry>;

 public:
  using value_type = std::pair<K, V>;
  using found_type = std::optional<V>;
  using parent::parent;

  /// Sets results[i] to find(keys[i]).
  template <guarantee_allowing<container_operation::find> Guarantee = no_guarantee>
  void find_many(std::span<const K> keys, std::span<std::optional<V>> results,
                 Guarantee guarantee = {}, const site& where = site::current()) const {
    check_as_many("hash_map::find_many", keys.size(), results.size());
    this->get_table("hash_map::find_many")
        .template perform_many<find_operation<V>>(
            guarantee, keys, [](std::uint64_t) { return std::tuple<>(); },
            [&](std::uint64_t i, typename parent::met&& result) {
              results[i] = std::move(result.value);
            },
            "hash_map::find_many", where);
  }
  template <guarantee_allowing<container_operation::find> Guarantee = no_guarantee>
  [[nodiscard]] std::vector<std::optional<V>> find_many(std::span<const K> keys,
                                                        Guarantee guarantee = {},
                                                        const site& where = site::current()) const {
    std::vector<std::optional<V>> results(keys.size());
    find_many(keys, std::span(results), guarantee, where);
    return results;
  }

  /// Calls f(key, value) with copies of this rank's entries, as local(). l.
  template <class F>
    requires takes_a_const_key_and_a_const_value<F, K, V>
  void for_each_local(F&& f) const {
    parent::visit_local(f);
  }
};

}  // namespace acre::container
