// SPDX-License-Identifier: BSD-3-Clause
// A Bloom filter spread over the ranks of a team: a set that needs a few bits an
// item, and in return is sometimes wrong when it says that an item is there.
//
//     acre::bloom_filter<std::string> seen(acre::world(), 1'000'000, 0.01);
//     if (seen.insert(word)) …          // the first of all ranks to see it
//     if (seen.find(other)) …           // is there, or is one of a hundred that are not
//
// It is made for an expected number of items and a rate of false positives, and
// keeps that rate when it holds so many. All bits of an item lie in one block: a
// word where that keeps the rate with reasonable memory, else two, four or
// eight, which is a cache line. So insert and find are one access, and fully
// atomic: an item that was inserted is always found, and of several ranks that
// insert a new one at once at most one is told that it is new (none is, when it
// is a false positive).
//
// Memory order: what a rank wrote before the insert of an item is seen by those
// who find it, unless it is a false positive.
//
// Costs are of the best case, to memory of this node; to another node each
// operation is 2 M, one round trip, with the item's hash as the message. How it
// works: detail/bloom_block.hpp (a block), detail/bloom_shape.hpp (its size),
// detail/bloom_parts.hpp (all of them).
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
/// Takes the number of items of a filter without a rate: compilers show the line of a deleted
/// constructor.
struct the_items_before_a_rate {
  template <std::integral Items>
  the_items_before_a_rate(Items) = delete;  // bloom_filter(team, items, rate), with a rate of 0.01
};
}  // namespace container

/// Moves: local. Destruction: collective, B; filters may be destroyed in any order.
/// @tparam T     anything that can be hashed; items themselves are not stored
/// @tparam Hash  without state; called by the caller only
template <class T, hash_for<T> Hash = hash<T>>
class bloom_filter {
  using parts = container::bloom_parts;
  using operation = container_operation;

 public:
  using value_type = T;
  using hasher = Hash;

  /// No filter: good for being assigned to.
  bloom_filter() = default;

  /// An empty filter that has at most this rate of false positives as long as it holds
  /// at most `items` items. Collective. Cost: 2 collectives and B; this rank's memory
  /// is touched.
  /// @param rate  from 1e-12 to below 1
  /// @throws acre::error on all members when the rate or size is impossible, they
  ///         differ, or one has no room
  bloom_filter(const team& members, std::uint64_t items, double rate,
               const site& where = site::current())
      : parts_(std::make_unique<parts>(members, items, rate, typeid(bloom_filter), where)) {}
  bloom_filter(std::uint64_t items, double rate, const site& where = site::current())
      : bloom_filter(world(), items, rate, where) {}
  /// A compile error for a missing rate.
  bloom_filter(const team&, container::the_items_before_a_rate);

  // --- items ---------------------------------------------------------------------
  // All of these: any thread. They may be given a guarantee (guarantee.hpp): `local`
  // spares the atomics; it is for items with owner(item).is_this_rank().
  // @throws what Hash throws, with nothing changed

  /// Adds the item. Cost: R when it is there, else R + A; local: l.
  /// @return whether it is new: false when it was there, or seems so
  template <guarantee_allowing<operation::insert> Guarantee = no_guarantee>
  bool insert(const T& item, Guarantee guarantee = {}, const site& where = site::current()) {
    return get_parts("bloom_filter::insert")
        .template perform<operation::insert>(container::good_hash<Hash>(item), guarantee,
                                             "bloom_filter::insert", where);
  }

  /// Whether the item is there, or seems so. Cost: R; local: l.
  template <guarantee_allowing<operation::find> Guarantee = no_guarantee>
  [[nodiscard]] bool find(const T& item, Guarantee guarantee = {},
                          const site& where = site::current()) const {
    return get_parts("bloom_filter::find")
        .template perform<operation::find>(container::good_hash<Hash>(item), guarantee,
                                           "bloom_filter::find", where);
  }

  /// insert() for each item. Cost: as insert() each, with the memory accesses overlapped; 2 M for
  /// all items of an owner on another node together, up to what a message carries (8 bytes each).
  /// @return for each item, in order, whether it is new
  template <guarantee_allowing<operation::insert> Guarantee = no_guarantee>
  std::vector<bool> insert_many(std::span<const T> items, Guarantee guarantee = {},
                                const site& where = site::current()) {
    return perform_many<operation::insert>(items, guarantee, "bloom_filter::insert_many", where);
  }
  /// find() for each item; the same costs. @return for each item, in order, whether it is there
  template <guarantee_allowing<operation::find> Guarantee = no_guarantee>
  [[nodiscard]] std::vector<bool> find_many(std::span<const T> items, Guarantee guarantee = {},
                                            const site& where = site::current()) const {
    return perform_many<operation::find>(items, guarantee, "bloom_filter::find_many", where);
  }

  /// The member of the team that owns the item: the same as in a hash_map of this team. l.
  [[nodiscard]] member owner(const T& item) const {
    const parts& all = get_parts("bloom_filter::owner");
    return all.members()[all.owner(container::good_hash<Hash>(item))];
  }
  [[nodiscard]] const team& members() const { return get_parts("bloom_filter::members").members(); }
  /// Whether there is a filter: not after it was moved away, or made without a team.
  [[nodiscard]] explicit operator bool() const noexcept { return parts_ != nullptr; }

  // --- its size --------------------------------------------------------------------

  /// The bits of all blocks. l.
  [[nodiscard]] std::uint64_t bits() const {
    const parts& all = get_parts("bloom_filter::bits");
    return all.blocks() * all.shape().words * 64;
  }
  /// The width of a block: 64, 128, 256 or 512. l.
  [[nodiscard]] unsigned block_bits() const {
    return get_parts("bloom_filter::block_bits").shape().words * 64;
  }

  // What the bits tell of the items that all members have inserted before the call. All
  // collective. Cost: B, 1 allreduce, and l for each block.

  /// The share of the bits that are set.
  [[nodiscard]] double fill_ratio(const site& where = site::current()) const {
    return get_parts("bloom_filter::fill_ratio").count(where).set / static_cast<double>(bits());
  }
  /// The rate of false positives now.
  [[nodiscard]] double false_positive_rate(const site& where = site::current()) const {
    const auto all = get_parts("bloom_filter::false_positive_rate").count(where);
    return all.rate / all.blocks;
  }
  /// About how many different items there are: a few percent wrong, and more when there are far
  /// more than were expected.
  [[nodiscard]] double approximate_size(const site& where = site::current()) const {
    return get_parts("bloom_filter::approximate_size").count(where).items;
  }

  // --- collective --------------------------------------------------------------------

  /// Removes all items. Cost: 2 B.
  void clear(const site& where = site::current()) { get_parts("bloom_filter::clear").clear(where); }

  /// Adds all items of another filter, made with the same team, items and rate. Cost: 2 B and 1
  /// allreduce.
  /// @throws acre::error on all members, with nothing changed, when it was not
  void merge(const bloom_filter& other, const site& where = site::current()) {
    get_parts("bloom_filter::merge").merge(other.parts_.get(), where);
  }

  /// For other tools of this room: the parts, which stay where they are when the filter moves.
  [[nodiscard]] parts& guts() const { return get_parts("bloom_filter"); }

 private:
  template <operation Operation, class Guarantee>
  std::vector<bool> perform_many(std::span<const T> items, Guarantee guarantee, const char* call,
                                 const site& where) const {
    // So many at a time that what is kept of them stays in the cache.
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
