// SPDX-License-Identifier: BSD-3-Clause
// Disjoint sets of the numbers 0 … n - 1, distributed over a team in equal blocks.
//
//     acre::union_find sets(acre::world(), vertices);
//     sets.unite_all(edges);                      // each rank its own edges
//     acre::barrier();
//     if (sets.are_together(3, 4)) …
//
// Any ranks and threads may unite and search concurrently; calls on elements are linearisable.
//
// Memory order: writes before a unite are visible to ranks that find the elements in one set.
//
// Costs are best cases within a node: paths of one step (detail/forest.hpp). Further steps cost R,
// and A for two. To other nodes: 2 M for each change of the node along the paths, after compress()
// one at most.
#pragma once

#include <acre/base/site.hpp>
#include <acre/container/guarantee.hpp>
#include <acre/container/sets/detail/forest_parts.hpp>
#include <acre/container/sets/detail/union_batch.hpp>
#include <acre/global/team/team.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <span>
#include <typeinfo>
#include <utility>
#include <vector>

namespace acre {
namespace container {

/// Sets span all parts: `local` is refused.
template <class Guarantee, container_operation Operation>
concept guarantee_for_sets = guarantee_allowing<Guarantee, Operation> && !is_local<Guarantee>;

template <class Pair>
concept pair_of_numbers = requires(const Pair& pair) {
  { std::get<0>(pair) } -> std::convertible_to<std::uint64_t>;
  { std::get<1>(pair) } -> std::convertible_to<std::uint64_t>;
};

template <class Edges>
concept range_of_pairs_of_numbers = requires(Edges& edges) {
  std::end(edges);
  { *std::begin(edges) } -> pair_of_numbers;
};

template <class Guarantee>
inline constexpr path path_under =
    excludes<Guarantee, container_operation::update> ? path::kept : path::halved;

}  // namespace container

/// Moves: local. Destruction: collective, B; objects in the same order on all members.
class union_find {
  using parts = container::forest_parts;
  using operation = container_operation;

 public:
  using value_type = std::uint64_t;
  using edge = std::pair<std::uint64_t, std::uint64_t>;

  /// Internal.
  template <class Guarantee>
  class union_batch : public container::union_batch<Guarantee> {
   public:
    union_batch(const union_find& sets, const container::named_call& call)
        : container::union_batch<Guarantee>(sets.get_parts(call.name), call) {}
  };

  union_find() = default;

  /// Makes each element a set. Collective. Cost: 1 allgather + B; touches its memory, 4 bytes per
  /// element, above 2^32 elements 8.
  /// @throws acre::error on all members if arguments differ, or one lacks memory
  union_find(const team& members, std::uint64_t elements, const site& where = site::current())
      : parts_(std::make_unique<parts>(members, elements, typeid(union_find),
                                       container::named_call{"union_find", where})) {}
  explicit union_find(std::uint64_t elements, const site& where = site::current())
      : union_find(world(), elements, where) {}
  union_find(global::the_team_before_the_size, const team&);

  // --- elements ---
  //
  // Any thread. Guarantees: unite() is an `update`, other calls `find`.
  // @throws acre::error if an element does not exist; for a broken guarantee (ACRE_CHECKS)

  /// Unites the sets of two elements. Cost: 2 R if they are in one; else 3 R + A.
  /// @return true if they were in two
  template <container::guarantee_for_sets<operation::update> Guarantee = no_guarantee>
  bool unite(std::uint64_t a, std::uint64_t b, Guarantee guarantee = {},
             const site& where = site::current()) {
    const parts& all = get_parts("union_find::unite");
    return all.unite({a, b}, entry<operation::update>(all, guarantee),
                     {"union_find::unite", where});
  }

  /// True if two elements are in one set. Cost: 2 R; else 3 R. With only<find>: no A.
  template <container::guarantee_for_sets<operation::find> Guarantee = no_guarantee>
  [[nodiscard]] bool are_together(std::uint64_t a, std::uint64_t b, Guarantee guarantee = {},
                                  const site& where = site::current()) const {
    const parts& all = get_parts("union_find::are_together");
    return all.are_together({a, b}, container::path_under<Guarantee>,
                            entry<operation::find>(all, guarantee),
                            {"union_find::are_together", where});
  }

  /// Representative of a set: one of its elements, determined by the elements alone. Cost: R if
  /// itself, else 2 R. With only<find>: no A.
  template <container::guarantee_for_sets<operation::find> Guarantee = no_guarantee>
  [[nodiscard]] std::uint64_t find(std::uint64_t element, Guarantee guarantee = {},
                                   const site& where = site::current()) const {
    const parts& all = get_parts("union_find::find");
    return all.find(element, container::path_under<Guarantee>,
                    entry<operation::find>(all, guarantee), {"union_find::find", where});
  }

  // --- many elements ---
  //
  // Prefetched and sent together; not atomic as a whole. Cost at other nodes: 2 M for each full
  // message and each change of the node along the longest path.

  /// Unites the sets of each pair. Sends at most one pair for each element on another node.
  /// @param edges  pairs, tuples or arrays of two numbers; read once
  /// @return number of pairs that united two sets: of all ranks, the decrease of set_count()
  template <container::range_of_pairs_of_numbers Edges,
            container::guarantee_for_sets<operation::update> Guarantee = no_guarantee>
  std::uint64_t unite_all(Edges&& edges, Guarantee = {}, const site& where = site::current()) {
    union_batch<Guarantee> batch(*this, {"union_find::unite_all", where});
    for (const auto& each : edges) {
      batch.add(static_cast<std::uint64_t>(std::get<0>(each)),
                static_cast<std::uint64_t>(std::get<1>(each)));
    }
    return batch.finish();
  }

  /// Performs unite() for each pair.
  /// @return for each pair, true if it united two sets: those of all ranks are a spanning forest
  template <container::guarantee_for_sets<operation::update> Guarantee = no_guarantee>
  std::vector<bool> unite_many(std::span<const edge> edges, Guarantee guarantee = {},
                               const site& where = site::current()) {
    const parts& all = get_parts("union_find::unite_many");
    std::vector<container::element_pair> pairs;
    pairs.reserve(edges.size());
    for (const auto& [a, b] : edges) pairs.push_back({a, b});
    return all.unite_many(pairs, entry<operation::update>(all, guarantee),
                          {"union_find::unite_many", where});
  }

  /// find() for each element.
  template <container::guarantee_for_sets<operation::find> Guarantee = no_guarantee>
  [[nodiscard]] std::vector<std::uint64_t> find_many(std::span<const std::uint64_t> elements,
                                                     Guarantee guarantee = {},
                                                     const site& where = site::current()) const {
    const parts& all = get_parts("union_find::find_many");
    std::vector<std::uint64_t> roots(elements.size());
    all.find_many(elements, roots, container::path_under<Guarantee>,
                  entry<operation::find>(all, guarantee), {"union_find::find_many", where});
    return roots;
  }

  /// Calls f(element, representative) for this rank's elements. Cost: as find_many().
  template <std::invocable<std::uint64_t, std::uint64_t> F>
  void for_each_local(F&& f, const site& where = site::current()) const {
    constexpr std::uint64_t most = 1 << 14;
    const parts& all = get_parts("union_find::for_each_local");
    const std::uint64_t end = all.first() + all.count();
    std::vector<std::uint64_t> elements;
    for (std::uint64_t next = all.first(); next < end;) {
      elements.clear();
      for (; next < end && elements.size() < most; ++next) elements.push_back(next);
      const std::vector<std::uint64_t> roots = find_many(elements, no_guarantee{}, where);
      for (std::size_t i = 0; i < roots.size(); ++i) f(elements[i], roots[i]);
    }
  }

  /// l.
  [[nodiscard]] std::uint64_t size() const {
    return get_parts("union_find::size").near().elements();
  }
  /// l.
  /// @throws acre::error for unknown elements
  [[nodiscard]] member owner(std::uint64_t element) const {
    const parts& all = get_parts("union_find::owner");
    all.check(element, "union_find::owner");
    return all.members()[static_cast<rank_t>(all.near().owner(element))];
  }
  /// First element of this rank. l.
  [[nodiscard]] std::uint64_t local_offset() const {
    return get_parts("union_find::local_offset").first();
  }
  [[nodiscard]] std::uint64_t local_size() const {
    return get_parts("union_find::local_size").count();
  }
  [[nodiscard]] const team& members() const { return get_parts("union_find::members").members(); }
  /// False if null or moved from.
  [[nodiscard]] explicit operator bool() const noexcept { return parts_ != nullptr; }

  // Collective, after all members' operations.

  /// Number of sets. Cost: B + 1 allreduce, l for each element.
  [[nodiscard]] std::uint64_t set_count(const site& where = site::current()) const {
    return get_parts("union_find::set_count").set_count({"union_find::set_count", where});
  }
  /// Makes representatives the parents of all elements. Cost: 2 B, l for each element, 2 M for each
  /// message full of different parents on other nodes.
  void compress(const site& where = site::current()) {
    get_parts("union_find::compress").compress({"union_find::compress", where});
  }
  /// Makes each element a set. Cost: 2 B, l for each element.
  void clear(const site& where = site::current()) {
    get_parts("union_find::clear").clear({"union_find::clear", where});
  }

  /// Internal state.
  [[nodiscard]] parts& guts() const { return get_parts("union_find"); }

 private:
  template <operation Operation, class Guarantee>
  static phase_entry entry(const parts& all, Guarantee guarantee) noexcept {
    return entry_if_checked(all.members(), Operation, guarantee);
  }
  [[nodiscard]] parts& get_parts(const char* call) const {
    return global::require_object(parts_.get(), call, "union_find", "union_find{team, elements}");
  }

  std::unique_ptr<parts> parts_;
};

}  // namespace acre
