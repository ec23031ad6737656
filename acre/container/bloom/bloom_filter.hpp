// SPDX-License-Identifier: BSD-3-Clause
// Bloom filter distributed over a team: a few bits per item, with false positives.
//
//     acre::bloom_filter<std::string> seen(acre::world(), 1'000'000, 0.01);
//     if (seen.insert(word)) …          // true on at most one rank
//     if (seen.find(other)) …           // also true for one of a hundred absent items
//
// All bits of an item are in one block of one, two, four or eight words (detail/bloom_shape.hpp),
// which alone insert and find access. find() finds every inserted item; if ranks insert a new item
// concurrently, at most one receives true.
//
// Memory order: writes before an insert are visible to ranks that find the item, except after a
// false positive.
//
// Costs are best cases within a node. At another node find() costs R, and insert() 2 M.
#pragma once

#include <acre/base/bits.hpp>
#include <acre/base/site.hpp>
#include <acre/container/bloom/detail/bloom_parts.hpp>
#include <acre/container/guarantee.hpp>
#include <acre/container/hash.hpp>
#include <acre/global/team/team.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <typeinfo>
#include <vector>

namespace acre {

namespace container {
struct the_items_before_a_rate {
  template <std::integral Items>
  the_items_before_a_rate(Items) = delete;  // bloom_filter(team, items, rate), with a rate of 0.01
};
}  // namespace container

/// Moves: local. Destruction: collective, B; objects in the same order on all members.
/// @tparam T     hashable; items are not stored
/// @tparam Hash  stateless; called on the calling rank only
template <class T, hash_for<T> Hash = hash<T>>
class bloom_filter {
  using parts = container::bloom_parts;
  using operation = container_operation;

 public:
  using value_type = T;
  using hasher = Hash;

  /// Null handle.
  bloom_filter() = default;

  /// Makes an empty filter with false-positive rate at most `rate` for up to `items` items.
  /// Collective. Cost: 2 allgathers + B; touches its memory.
  /// @param rate  from 1e-12 to below 1
  /// @throws acre::error on all members if arguments are impossible or differ, or one lacks memory
  bloom_filter(const team& members, std::uint64_t items, double rate,
               const site& where = site::current())
      : parts_(std::make_unique<parts>(members, items, rate, typeid(bloom_filter), where)) {}
  bloom_filter(std::uint64_t items, double rate, const site& where = site::current())
      : bloom_filter(world(), items, rate, where) {}
  bloom_filter(const team&, container::the_items_before_a_rate);

  // --- items ---
  //
  // Any thread. With guarantee `local`: without atomics, for items of this rank.
  // @throws exceptions of Hash, before any change

  /// Adds the item. Cost: R if present, else R + A; with `local`: l.
  /// @return false if present, or by a false positive
  template <guarantee_allowing<operation::insert> Guarantee = no_guarantee>
  bool insert(const T& item, Guarantee guarantee = {}, const site& where = site::current()) {
    return get_parts("bloom_filter::insert")
        .template perform<operation::insert>(container::good_hash<Hash>(item), guarantee,
                                             "bloom_filter::insert", where);
  }

  /// True if present, or by a false positive. Cost: R, also at other nodes (read_way.hpp); with
  /// `local`: l.
  template <guarantee_allowing<operation::find> Guarantee = no_guarantee>
  [[nodiscard]] bool find(const T& item, Guarantee guarantee = {},
                          const site& where = site::current()) const {
    return get_parts("bloom_filter::find")
        .template perform<operation::find>(container::good_hash<Hash>(item), guarantee,
                                           "bloom_filter::find", where);
  }

  /// Performs insert() for each item, overlapped. Cost at other nodes: 2 M for each message of
  /// items (8 bytes each).
  /// @return for each item, true if new
  template <guarantee_allowing<operation::insert> Guarantee = no_guarantee>
  std::vector<bool> insert_many(std::span<const T> items, Guarantee guarantee = {},
                                const site& where = site::current()) {
    return perform_many<operation::insert>(items, guarantee, "bloom_filter::insert_many", where);
  }
  /// find() for each item. Cost: as insert_many(). @return for each item, true if found
  template <guarantee_allowing<operation::find> Guarantee = no_guarantee>
  [[nodiscard]] std::vector<bool> find_many(std::span<const T> items, Guarantee guarantee = {},
                                            const site& where = site::current()) const {
    return perform_many<operation::find>(items, guarantee, "bloom_filter::find_many", where);
  }

  /// Owner of the item; equal to its owner in a hash_map of this team. Cost: l.
  [[nodiscard]] member owner(const T& item) const {
    const parts& all = get_parts("bloom_filter::owner");
    return all.members()[all.owner(container::good_hash<Hash>(item))];
  }
  [[nodiscard]] const team& members() const { return get_parts("bloom_filter::members").members(); }
  /// False if null or moved from.
  [[nodiscard]] explicit operator bool() const noexcept { return parts_ != nullptr; }

  /// Total number of bits. Cost: l.
  [[nodiscard]] std::uint64_t bits() const {
    const parts& all = get_parts("bloom_filter::bits");
    return all.blocks() * all.shape().words * 64;
  }
  /// Bits per block: 64, 128, 256 or 512. Cost: l.
  [[nodiscard]] unsigned block_bits() const {
    return get_parts("bloom_filter::block_bits").shape().words * 64;
  }

  // Statistics of all items inserted before. Collective. Cost: B, 1 allreduce, l for each block.

  /// Fraction of bits set.
  [[nodiscard]] double fill_ratio(const site& where = site::current()) const {
    return get_parts("bloom_filter::fill_ratio").count(where).set / static_cast<double>(bits());
  }
  /// False-positive rate of the present content.
  [[nodiscard]] double false_positive_rate(const site& where = site::current()) const {
    const auto all = get_parts("bloom_filter::false_positive_rate").count(where);
    return all.rate / all.blocks;
  }
  /// Estimates the number of distinct items within a few percent, worse far beyond `items`.
  [[nodiscard]] double approximate_size(const site& where = site::current()) const {
    return get_parts("bloom_filter::approximate_size").count(where).items;
  }

  /// Removes all items. Collective. Cost: 2 B.
  void clear(const site& where = site::current()) { get_parts("bloom_filter::clear").clear(where); }

  /// Adds all items of a filter with equal team, items and rate. Collective. Cost: 2 B and 1
  /// allreduce.
  /// @throws acre::error on all members, before any change, if team, items or rate differ
  void merge(const bloom_filter& other, const site& where = site::current()) {
    get_parts("bloom_filter::merge").merge(other.parts_.get(), where);
  }

  /// Internal state, whose address survives moves of the filter.
  [[nodiscard]] parts& guts() const { return get_parts("bloom_filter"); }

 private:
  template <operation Operation, class Guarantee>
  std::vector<bool> perform_many(std::span<const T> items, Guarantee guarantee, const char* call,
                                 const site& where) const {
    constexpr std::size_t most = 1 << 14;
    const parts& all = get_parts(call);
    std::vector<bool> answers;
    answers.reserve(items.size());
    std::vector<std::uint64_t> hashes;
    hashes.reserve(smaller(most, items.size()));
    for (std::size_t begin = 0; begin < items.size(); begin += most) {
      hashes.clear();
      for (const T& each : items.subspan(begin, smaller(most, items.size() - begin))) {
        hashes.push_back(container::good_hash<Hash>(each));
      }
      all.template perform_many<Operation>(hashes, guarantee, answers, call, where);
    }
    return answers;
  }

  [[nodiscard]] parts& get_parts(const char* call) const {
    return global::require_object(parts_.get(), call, "filter", "bloom_filter{team, items, rate}");
  }

  std::unique_ptr<parts> parts_;
};

}  // namespace acre
