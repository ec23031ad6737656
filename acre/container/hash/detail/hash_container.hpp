// SPDX-License-Identifier: BSD-3-Clause
// What every hash container of this room offers: a handle to its table, which moves, and the
// operations that do not depend on the values of its entries.
#pragma once

#include <acre/base/site.hpp>
#include <acre/base/unique_object.hpp>
#include <acre/container/guarantee.hpp>
#include <acre/container/hash/detail/hash_many.hpp>
#include <acre/container/hash/detail/hash_operations.hpp>
#include <acre/container/hash/detail/hash_scan.hpp>
#include <acre/container/hash/detail/hash_table.hpp>
#include <acre/container/hash/growth.hpp>
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

// Compilers print its name.
template <class F, class K, class V>
inline constexpr bool takes_a_const_key_and_a_const_value = std::invocable<F, const K&, const V&>;

// Parameters of overloads that only refuse: compilers show the line of a deleted constructor.
struct a_capacity_as_a_number {
  template <class X>
    requires std::is_scalar_v<std::decay_t<X>> && (!std::is_arithmetic_v<std::decay_t<X>>)
  a_capacity_as_a_number(const X&) = delete;  // hash_map<K, V>(team, 4096)
};

/// @tparam Shown  what iterators show of an entry, a pair of key and value
template <class K, class V, class Hash, class Equal, class Shown>
class hash_container {
 protected:
  using table = hash_table<K, V, Hash, Equal>;

 public:
  using key_type = K;
  using mapped_type = V;
  using hasher = Hash;
  using key_equal = Equal;
  using entry_range = hash_entries<table, K, V, Shown>;

  /// No container: good for being assigned to.
  hash_container() = default;

  /// An empty container with at least `capacity` buckets over all members. It takes keys
  /// until 80 % of the buckets are full, and then until one has no free bucket near
  /// its home: the 1024 from there on; so a part of up to 1024 takes them to the last.
  /// Searches stay fast up to 80 %, and are never longer than that. Collective.
  /// Cost: B, and this rank's memory is touched.
  /// A capacity of 0 is one bucket on each member.
  /// @param grows  automatic: a key finds room as long as there is memory, and each collective
  ///               call that counts (size(), sync()) doubles the capacity until no part is
  ///               fuller than three quarters: growth.hpp
  /// @throws acre::error on all members when one has no room
  hash_container(const team& members, std::uint64_t capacity, growth grows = growth::manual,
                 const site& where = site::current())
      : table_(base::make_unique_object<table>(members, capacity, grows, "hash_map", where)) {}
  explicit hash_container(std::uint64_t capacity, growth grows = growth::manual,
                          const site& where = site::current())
      : hash_container(world(), capacity, grows, where) {}
  // Compile errors for all other arguments.
  hash_container(global::the_team_before_the_size, const team&);
  explicit hash_container(a_capacity_as_a_number);
  hash_container(const team&, a_capacity_as_a_number);

  // --- one key -------------------------------------------------------------------

  /// Cost: R.
  template <lookup_key<K, Hash, Equal> Key = K,
            guarantee_allowing<container_operation::find> Guarantee = no_guarantee>
  [[nodiscard]] bool contains(const Key& key, Guarantee guarantee = {},
                              const site& where = site::current()) const {
    std::optional<V> nothing;
    return perform<contains_operation<V>>(guarantee, as_key(key), nothing, "hash_map::contains",
                                          where) == found;
  }

  /// Cost: R + A.
  /// @return whether the key was there
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

  /// The member of the team that owns the key. l.
  template <lookup_key<K, Hash, Equal> Key = K>
  [[nodiscard]] member owner(const Key& key) const {
    const table& all = get_table("hash_map::owner");
    return all.members()[all.locate(as_key(key)).owner];
  }

  // --- all entries -----------------------------------------------------------------

  /// The entries of this rank's part: for (const auto& [key, value] : map.local()).
  /// Copies; what others insert or erase meanwhile may or may not be seen. l.
  [[nodiscard]] entry_range local() const {
    const table& all = get_table("hash_map::local");
    return {all, all.members().rank(), all.members().rank() + 1};
  }

  /// The entries of all parts, one rank's after the other's: for (const auto& [key,
  /// value] : map). Any rank may walk through them, as above; iterators are good until
  /// the next collective call of the map. Cost: R for each entry; other nodes: 2 M for
  /// each message full of entries.
  [[nodiscard]] typename entry_range::iterator begin() const {
    const table& all = get_table("hash_map::begin");
    return {all, 0, all.members().size()};
  }
  [[nodiscard]] typename entry_range::iterator end() const {
    const table& all = get_table("hash_map::end");
    return {all, all.members().size(), all.members().size()};
  }

  /// The entries of this rank's part. l.
  [[nodiscard]] std::uint64_t local_size() const {
    return get_table("hash_map::local_size").local_size();
  }
  /// The entries of all parts, with what all members inserted and erased before
  /// the call. Collective. Cost: B and 1 allreduce; more when the map grows by itself,
  /// which ends iterators.
  [[nodiscard]] std::uint64_t size(const site& where = site::current()) const {
    return get_table("hash_map::size").size(where);
  }
  /// The buckets of all parts. l.
  [[nodiscard]] std::uint64_t capacity() const {
    return get_table("hash_map::capacity").capacity();
  }
  /// size() / capacity(). Collective, as size().
  [[nodiscard]] double load_factor(const site& where = site::current()) const {
    const auto entries = static_cast<double>(size(where));
    return entries / static_cast<double>(capacity());
  }
  [[nodiscard]] const team& members() const { return get_table("hash_map::members").members(); }
  /// Whether there is a container: not after it was moved away, or made without a team.
  [[nodiscard]] explicit operator bool() const noexcept { return table_ != nullptr; }

  // --- collective ---------------------------------------------------------------------

  /// All that the members have done with the map is done; a map that grows by itself
  /// grows when it should. Cost: B, and 1 allreduce if it grows by itself.
  void sync(const site& where = site::current()) { get_table("hash_map::sync").sync(where); }

  /// Removes all entries. Cost: 2 B.
  void clear(const site& where = site::current()) { get_table("hash_map::clear").clear(where); }

  /// Moves all entries to `capacity` buckets, more or fewer. No key changes its
  /// owner. Writers keep what they have buffered. Cost: 2 B, 3 collectives, and l for each entry.
  /// @throws acre::error on all members, with nothing changed, when the entries
  ///         do not fit or there is no memory
  void resize(std::uint64_t capacity, const site& where = site::current()) {
    get_table("hash_map::resize").resize(capacity, where);
  }

  /// The same, but to as many buckets as the entries need, if that is more.
  void rehash(std::uint64_t capacity, const site& where = site::current()) {
    get_table("hash_map::rehash").rehash(capacity, where);
  }
  /// Makes room for so many entries over all members, if their hashes are good; the most
  /// that a member asks for. Cost: 1 allreduce, and as resize() when it grows.
  /// @throws acre::error as resize()
  void reserve(std::uint64_t entries, const site& where = site::current()) {
    get_table("hash_map::reserve").reserve(entries, where);
  }

  /// Doubles the capacity until no part is fuller than `most_load`.
  /// @return whether it grew
  /// @throws acre::error on all members when `most_load` is not above 0 or not the same
  ///         on all, or as resize()
  bool grow_if_needed(double most_load = usual_load, const site& where = site::current()) {
    return get_table("hash_map::grow_if_needed").grow_if_needed(most_load, where);
  }

  /// For writers and other tools of this room: the table, which stays where it is
  /// when the container moves.
  [[nodiscard]] table& guts() const { return get_table("hash_map"); }

 protected:
  using met = container::met<V>;
  static constexpr auto found = outcome::found;
  static constexpr auto added = outcome::added;
  static constexpr auto erased = outcome::erased;
  static constexpr auto is_added = [](const met& result) { return result.what == added; };

  template <class Key>
  static decltype(auto) as_key(const Key& key) {
    if constexpr (std::same_as<Key, K> || transparent_key<Key, K, Hash, Equal>) {
      return (key);
    } else {
      return static_cast<K>(key);
    }
  }

  template <class Operation, class Guarantee, class Key, class... Operands>
  outcome perform(Guarantee guarantee, const Key& key, std::optional<V>& value, const char* call,
                  const site& where, const Operands&... operands) const {
    const table& all = get_table(call);
    const outcome what =
        all.template perform<Operation>(guarantee, key, value, call, where, operands...);
    check_room(all, what, key, call);
    return what;
  }

  /// For operations that return no value.
  /// @return how many keys were added
  template <class Operation, class Guarantee, class Operands>
  std::uint64_t change_many(Guarantee guarantee, std::span<const K> keys, Operands&& operands,
                            const char* call, const site& where) const {
    const table& all = get_table(call);
    std::uint64_t number = 0;
    std::uint64_t refused = 0;
    all.template perform_many<Operation>(
        guarantee, keys, operands,
        [&](std::uint64_t, const met& result) {
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
        [&all, key, call, convert](met&& result) {
          check_room(all, result.what, key, call);
          return convert(std::move(result));
        },
        operands...);
  }

  template <class F>
  void visit_local(F&& f) const {
    const table& all = get_table("hash_map::for_each_local");
    const auto part = all.local_part();
    all.note(part, container_operation::find, "hash_map::for_each_local");
    part.view().for_each(f);
  }

  /// @throws acre::error when there was no room
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

/// One whose entries have values that programs see.
template <class K, class V, class Hash, class Equal>
class hash_container_of_values : public hash_container<K, V, Hash, Equal, whole_entry> {
  using parent = hash_container<K, V, Hash, Equal, whole_entry>;

 public:
  using value_type = std::pair<K, V>;
  using parent::parent;

  /// results[i] becomes find(keys[i]).
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

  /// Calls f(key, value), with copies, for each entry of this rank's part. What
  /// others insert or erase meanwhile may or may not be seen. l.
  template <class F>
    requires takes_a_const_key_and_a_const_value<F, K, V>
  void for_each_local(F&& f) const {
    parent::visit_local(f);
  }
};

}  // namespace acre::container
