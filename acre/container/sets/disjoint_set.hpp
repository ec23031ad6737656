// SPDX-License-Identifier: BSD-3-Clause
// Disjoint sets of keys of any type, distributed over a team.
//
//     acre::disjoint_set<std::string> friends(acre::world(), 100'000);
//     friends.unite("Ada", "Grace");
//     acre::barrier();
//     if (friends.are_together("Ada", "Edith")) …
//
// A hash map numbers the keys, and a union_find (its header describes concurrency) has sets of the
// numbers. A key that was not added is alone in its set.
//
// Costs: for each key as hash_map::find(), then as union_find. A new key costs 2 insert() and A
// more.
#pragma once

#include <acre/base/site.hpp>
#include <acre/container/guarantee.hpp>
#include <acre/container/hash.hpp>
#include <acre/container/hash/hash_map.hpp>
#include <acre/container/sets/detail/element_numbers.hpp>
#include <acre/container/sets/detail/number_pool.hpp>
#include <acre/container/sets/union_find.hpp>
#include <acre/global/team/team.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace acre {
namespace container {

template <class Edges, class K>
concept range_of_pairs_of_keys = requires(Edges& edges) {
  std::end(edges);
  { std::get<0>(*std::begin(edges)) } -> std::convertible_to<K>;
  { std::get<1>(*std::begin(edges)) } -> std::convertible_to<K>;
};

}  // namespace container

/// Moves: local. Destruction: collective, B; objects in the same order on all members.
/// @tparam K, Hash, Equal  as for hash_map
template <storable K, hash_for<K> Hash = hash<K>, equality_for<K> Equal = equal_by_operator>
class disjoint_set {
  using operation = container_operation;
  using index = std::uint64_t;

 public:
  using key_type = K;
  using value_type = K;
  using edge = std::pair<K, K>;

  /// Internal.
  template <class Guarantee>
  class union_batch;

  disjoint_set() = default;

  /// Collective. Cost: as two hash maps, a union_find and a symmetric_array.
  /// @param capacity  number of keys that fit with a good hash
  /// @throws acre::error on all members if arguments differ, or one lacks memory
  disjoint_set(const team& members, std::uint64_t capacity, const site& where = site::current())
      : state_(std::make_unique<state>(members, capacity, where)) {}
  explicit disjoint_set(std::uint64_t capacity, const site& where = site::current())
      : disjoint_set(world(), capacity, where) {}
  disjoint_set(global::the_team_before_the_size, const team&);

  // --- keys ---
  //
  // Any thread. Guarantees: insert() is an `insert`, unite() an `update`, other calls `find`.
  // @throws acre::error if a new key does not fit; for a broken guarantee (ACRE_CHECKS)

  /// @return false if present
  template <container::guarantee_for_sets<operation::insert> Guarantee = no_guarantee>
  bool insert(const K& key, Guarantee = {}, const site& where = site::current()) {
    return add(get("disjoint_set::insert"), key, "disjoint_set::insert", where).is_new;
  }

  /// Adds both keys, and unites their sets.
  /// @return true if they were in two
  template <container::guarantee_for_sets<operation::update> Guarantee = no_guarantee>
  bool unite(const K& a, const K& b, Guarantee guarantee = {},
             const site& where = site::current()) {
    constexpr const char* call = "disjoint_set::unite";
    state& all = get(call);
    const index one = all.pool.index_of(add(all, a, call, where).number);
    const index other = all.pool.index_of(add(all, b, call, where).number);
    return all.sets.unite(one, other, guarantee, where);
  }

  template <container::guarantee_for_sets<operation::find> Guarantee = no_guarantee>
  [[nodiscard]] bool are_together(const K& a, const K& b, Guarantee guarantee = {},
                                  const site& where = site::current()) const {
    const state& all = get("disjoint_set::are_together");
    const std::optional<index> one = number(all, a, guarantee, where);
    const std::optional<index> other = number(all, b, guarantee, where);
    if (!one || !other) return Equal{}(a, b);
    return all.sets.are_together(all.pool.index_of(*one), all.pool.index_of(*other), guarantee,
                                 where);
  }

  /// Representative of a set: one of its keys, until a union or reserve().
  template <container::guarantee_for_sets<operation::find> Guarantee = no_guarantee>
  [[nodiscard]] K find(const K& key, Guarantee guarantee = {},
                       const site& where = site::current()) const {
    const state& all = get("disjoint_set::find");
    const std::optional<index> mine = number(all, key, guarantee, where);
    if (!mine) return key;
    const index root = all.sets.find(all.pool.index_of(*mine), guarantee, where);
    return *number_key(all, all.pool.number_at(root), guarantee, where);
  }

  template <container::guarantee_for_sets<operation::find> Guarantee = no_guarantee>
  [[nodiscard]] bool contains(const K& key, Guarantee guarantee = {},
                              const site& where = site::current()) const {
    return number(get("disjoint_set::contains"), key, guarantee, where).has_value();
  }

  // --- many keys ---
  //
  // As in union_find.

  /// @param edges  pairs, tuples or arrays of two keys; read once
  /// @return number of pairs that united two sets
  template <container::range_of_pairs_of_keys<K> Edges,
            container::guarantee_for_sets<operation::update> Guarantee = no_guarantee>
  std::uint64_t unite_all(Edges&& edges, Guarantee = {}, const site& where = site::current()) {
    union_batch<Guarantee> batch(*this, {"disjoint_set::unite_all", where});
    for (const auto& each : edges) batch.add(std::get<0>(each), std::get<1>(each));
    return batch.finish();
  }

  template <container::guarantee_for_sets<operation::find> Guarantee = no_guarantee>
  [[nodiscard]] std::vector<K> find_many(std::span<const K> keys, Guarantee guarantee = {},
                                         const site& where = site::current()) const {
    const state& all = get("disjoint_set::find_many");
    const auto known = all.numbers.find_many(keys, for_maps(guarantee), where);
    std::vector<index> elements;
    for (const std::optional<std::uint64_t>& each : known) {
      if (each) elements.push_back(all.pool.index_of(*each));
    }
    std::vector<index> roots = all.sets.find_many(elements, guarantee, where);
    for (index& each : roots) each = all.pool.number_at(each);
    auto names = all.keys.find_many(roots, for_maps(guarantee), where);
    std::vector<K> found;
    found.reserve(keys.size());
    auto next = names.begin();
    for (std::size_t i = 0; i < keys.size(); ++i) {
      found.push_back(known[i] ? *std::move(*next++) : keys[i]);
    }
    return found;
  }

  /// Calls f(key, representative) for this rank's keys. Cost: as find_many().
  template <std::invocable<const K&, const K&> F>
  void for_each_local(F&& f, const site& where = site::current()) const {
    constexpr std::size_t most = 4096;
    std::vector<K> keys;
    const auto call_all = [&] {
      const std::vector<K> roots = find_many(keys, no_guarantee{}, where);
      for (std::size_t i = 0; i < keys.size(); ++i) f(std::as_const(keys[i]), roots[i]);
      keys.clear();
    };
    for (const auto& [key, number] : get("disjoint_set::for_each_local").numbers.local()) {
      keys.push_back(key);
      if (keys.size() == most) call_all();
    }
    call_all();
  }

  /// Its owner in any hash_map of this team. l.
  [[nodiscard]] member owner(const K& key) const {
    return get("disjoint_set::owner").numbers.owner(key);
  }
  [[nodiscard]] const team& members() const { return get("disjoint_set::members").sets.members(); }
  /// False if null or moved from.
  [[nodiscard]] explicit operator bool() const noexcept { return state_ != nullptr; }

  // Collective, after all members' operations.

  /// Number of keys. Cost: as hash_map::size().
  [[nodiscard]] std::uint64_t size(const site& where = site::current()) const {
    return get("disjoint_set::size").numbers.size(where);
  }
  /// Number of sets of these. Cost: as size() and union_find::set_count().
  [[nodiscard]] std::uint64_t set_count(const site& where = site::current()) const {
    const state& all = get("disjoint_set::set_count");
    const std::uint64_t unused = all.sets.size() - all.numbers.size(where);
    return all.sets.set_count(where) - unused;
  }
  void compress(const site& where = site::current()) {
    get("disjoint_set::compress").sets.compress(where);
  }
  /// Removes all keys. Cost: 7 B, l for each slot.
  void clear(const site& where = site::current()) {
    state& all = get("disjoint_set::clear");
    all.numbers.clear(where);
    all.keys.clear(where);
    all.pool.clear();
    all.sets.clear(where);
  }
  /// Enlarges the capacity. Cost: as the constructor of a union_find.
  /// @throws acre::error on all members, without a change, if arguments differ or memory is short
  void reserve(std::uint64_t capacity, const site& where = site::current()) {
    state& all = get("disjoint_set::reserve");
    const std::uint64_t slots = container::slots_for(capacity, members().size());
    union_find larger(members(), slots * members().size(), where);
    if (slots <= all.pool.slots()) return;
    container::add_sets(larger.guts(), all.sets.guts(), {"disjoint_set::reserve", where});
    all.pool.set_slots(slots);
    all.sets.guts().hand_open_to(larger.guts());
    all.sets = std::move(larger);
  }

 private:
  struct state {
    state(const team& members, std::uint64_t capacity, const site& where)
        : numbers(members, capacity, growth::automatic, where),
          keys(members, capacity, growth::automatic, where),
          pool(members, container::slots_for(capacity, members.size()), where),
          sets(members, pool.slots() * members.size(), where) {}

    hash_map<K, std::uint64_t, Hash, Equal> numbers;
    hash_map<std::uint64_t, K> keys;
    container::number_pool pool;
    union_find sets;
  };
  struct added {
    std::uint64_t number;
    bool is_new;
  };

  /// Guarantee for the maps, which both `insert` and `update` change.
  template <class Guarantee>
  static constexpr auto for_maps(Guarantee) noexcept {
    if constexpr (container::excludes<Guarantee, operation::insert, operation::update>) {
      return guarantees::only<operation::find>;
    } else {
      return no_guarantee{};
    }
  }
  template <class Guarantee>
  static std::optional<std::uint64_t> number(const state& all, const K& key, Guarantee guarantee,
                                             const site& where) {
    return all.numbers.find(key, for_maps(guarantee), where);
  }
  template <class Guarantee>
  static std::optional<K> number_key(const state& all, std::uint64_t number, Guarantee guarantee,
                                     const site& where) {
    return all.keys.find(number, for_maps(guarantee), where);
  }

  /// Adds to `keys` first: a number in `numbers` has a name.
  static added add(state& all, const K& key, const char* call, const site& where) {
    if (const auto known = all.numbers.find(key, no_guarantee{}, where)) return {*known, false};
    std::vector<std::uint64_t> taken;
    all.pool.take(all.numbers.owner(key).number(), 1, taken, call);
    const std::uint64_t number = taken.front();
    all.keys.insert(number, key, where);
    if (all.numbers.insert(key, number, where)) return {number, true};
    all.keys.erase(number, no_guarantee{}, where);
    all.pool.give_back(number);
    return {*all.numbers.find(key, no_guarantee{}, where), false};
  }

  /// @param keys  different ones
  static void add_new(state& all, std::span<const K> keys, const char* call, const site& where) {
    std::vector<std::vector<std::size_t>> of_owner(all.sets.members().size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
      of_owner[all.numbers.owner(keys[i]).number()].push_back(i);
    }
    std::vector<std::uint64_t> taken;
    try {
      for (rank_t owner = 0; owner < of_owner.size(); ++owner) {
        all.pool.take(owner, of_owner[owner].size(), taken, call);
      }
    } catch (...) {
      for (const std::uint64_t each : taken) all.pool.give_back(each);
      throw;
    }
    std::vector<std::uint64_t> numbers(keys.size());
    auto next = taken.begin();
    for (const auto& mine : of_owner) {
      for (const std::size_t i : mine) numbers[i] = *next++;
    }
    all.keys.insert_many(numbers, keys, no_guarantee{}, where);
    if (all.numbers.insert_many(keys, numbers, no_guarantee{}, where) == keys.size()) return;
    const auto settled = all.numbers.find_many(keys, no_guarantee{}, where);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (*settled[i] == numbers[i]) continue;  // else another rank was first
      all.keys.erase(numbers[i], no_guarantee{}, where);
      all.pool.give_back(numbers[i]);
    }
  }

  [[nodiscard]] state& get(const char* call) const {
    return global::require_object(state_.get(), call, "disjoint_set",
                                  "disjoint_set{team, capacity}");
  }

  std::unique_ptr<state> state_;
};

template <storable K, hash_for<K> Hash, equality_for<K> Equal>
template <class Guarantee>
class disjoint_set<K, Hash, Equal>::union_batch {
 public:
  union_batch(const disjoint_set& sets, const container::named_call& call)
      : all_(&sets.get(call.name)), call_(call), unions_(all_->sets.guts(), call) {}

  void add(const K& a, const K& b) {
    keys_.push_back(a);
    keys_.push_back(b);
    if (keys_.size() >= most) perform();
  }
  std::uint64_t finish() {
    perform();
    return unions_.finish();
  }
  [[nodiscard]] std::uint64_t pending() const noexcept {
    return keys_.size() / 2 + unions_.pending();
  }

 private:
  static constexpr std::size_t most = 4096;

  void perform() {
    if (keys_.empty()) return;
    unions_.require_sets();
    auto numbers = find_numbers();
    // element() adds other absent keys of equal hash.
    std::vector<K> absent;
    container::element_numbers hashes;
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      if (numbers[i]) continue;
      if (hashes.add(container::good_hash<Hash>(keys_[i])) == absent.size()) {
        absent.push_back(keys_[i]);
      }
    }
    for (std::size_t done = 0; done < absent.size(); done += container::numbers_at_once) {
      const auto rest = std::span<const K>(absent).subspan(done);
      add_new(*all_, rest.first(smaller(rest.size(), container::numbers_at_once)), call_.name,
              call_.where);
    }
    if (!absent.empty()) numbers = find_numbers();
    for (std::size_t i = 0; i < keys_.size(); i += 2) {
      unions_.add(element(numbers[i], keys_[i]), element(numbers[i + 1], keys_[i + 1]));
    }
    keys_.clear();
  }
  [[nodiscard]] std::vector<std::optional<std::uint64_t>> find_numbers() const {
    return all_->numbers.find_many(keys_, no_guarantee{}, call_.where);
  }
  [[nodiscard]] index element(const std::optional<std::uint64_t>& number, const K& key) const {
    return all_->pool.index_of(
        number ? *number : disjoint_set::add(*all_, key, call_.name, call_.where).number);
  }

  state* all_;
  container::named_call call_;
  std::vector<K> keys_;
  container::union_batch<Guarantee> unions_;
};

}  // namespace acre
