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
#include <acre/container/hash/hash_map.hpp>

#include <concepts>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <vector>

namespace acre {
namespace detail {

/// What a set knows of its keys.
struct no_value {};

struct key_of_entry {
  template <class Entry>
  const auto& operator()(const Entry& entry) const noexcept {
    return entry.first;
  }
};

}  // namespace detail

template <storable K, hash_for<K> Hash = hash<K>, equality_for<K> Equal = equal_by_operator>
class hash_set : private hash_map<K, detail::no_value, Hash, Equal> {
  using map = hash_map<K, detail::no_value, Hash, Equal>;
  using table = std::remove_reference_t<decltype(std::declval<const map&>().guts())>;

 public:
  using value_type = K;
  using typename map::hasher;
  using typename map::key_equal;
  using typename map::key_type;
  using typename map::mapped_type;
  using key_range = detail::hash_entries<table, K, detail::no_value, detail::key_of_entry>;

  /// As those of hash_map.
  using map::map;

  // --- one key --------------------------------------------------------------------

  /// Adds the key unless it is there. Cost: R when it is there, else A + W at its
  /// home, 2 A + W elsewhere.
  /// @return whether it was added
  /// @throws acre::error when the owner's part is full near the key's home; nothing is lost
  template <guarantee_allowing<container_operation::insert> Guarantee = no_guarantee>
  bool insert(const K& key, Guarantee guarantee = {}, const site& where = site::current()) {
    std::optional<detail::no_value> nothing;
    return map::template perform<detail::insert_operation<detail::no_value>>(
               guarantee, key, nothing, "hash_set::insert", where, detail::no_value{}) ==
           detail::outcome::added;
  }
  template <guarantee_allowing<container_operation::insert> Guarantee = no_guarantee>
  [[nodiscard]] future<bool> insert_async(const K& key, Guarantee guarantee = {}) {
    return map::insert_async(key, {}, guarantee);
  }

  /// Cost: R.
  using map::contains;
  /// Cost: R + A.
  using map::erase;
  using map::erase_async;
  using map::owner;

  // --- many keys --------------------------------------------------------------------

  /// @return how many were added
  /// @throws acre::error when some found no room; all others are in then
  template <guarantee_allowing<container_operation::insert> Guarantee = no_guarantee>
  std::uint64_t insert_many(std::span<const K> keys, Guarantee guarantee = {},
                            const site& where = site::current()) {
    const std::vector<detail::no_value> nothing(keys.size());
    return map::insert_many(keys, nothing, guarantee, where);
  }

  // --- all keys ---------------------------------------------------------------------

  /// Calls f(key) for each key of this rank's part. l.
  template <std::invocable<const K&> F>
  void for_each_local(F&& f) const {
    map::for_each_local([&](const K& key, detail::no_value) { f(key); });
  }
  /// The keys of this rank's part, and those of all; as hash_map's entries.
  [[nodiscard]] key_range local() const {
    return {map::guts(), map::members().rank(), map::members().rank() + 1};
  }
  [[nodiscard]] typename key_range::iterator begin() const {
    return {map::guts(), 0, map::members().size()};
  }
  [[nodiscard]] typename key_range::iterator end() const {
    return {map::guts(), map::members().size(), map::members().size()};
  }

  using map::capacity;
  using map::load_factor;
  using map::local_size;
  using map::members;
  using map::size;
  using map::operator bool;

  // --- collective ---------------------------------------------------------------------

  using map::clear;
  using map::grow_if_needed;
  using map::rehash;
  using map::reserve;
  using map::resize;
  using map::sync;

  /// For writers.
  using map::guts;
};

}  // namespace acre
