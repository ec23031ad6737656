// SPDX-License-Identifier: BSD-3-Clause
#include <acre/layout/properties.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace acre::layout;

using tile_rows = composed<partition<tiled_cut<>, whole_cut>, grid<2>, canonical<>>;
using own_box = composed<partition<balanced_cut, balanced_cut>, grid<2>, canonical<>>;
using shifted_tiles = composed<partition<tiled_cut<8>, tiled_cut<8>>, shifted<2>, tiled<>>;

static_assert(pattern_satisfies<own_box, minimal_partitioning, balanced_partitioning,
                                canonical_layout, blocked_layout, linear_layout>);
static_assert(pattern_satisfies<shifted_tiles, regular_partitioning, diagonal_mapping,
                                neighbour_mapping, multiple_mapping, blocked_layout>);
static_assert(!has_property<shifted_tiles, canonical_layout>);
static_assert(!has_property<shifted_tiles, minimal_partitioning>);
static_assert(!has_property<tile_rows, ndimensional_partitioning>);
static_assert(!has_property<tile_rows, blocked_layout>);
static_assert(has_property<blocked, linear_layout> && has_property<hosted, minimal_partitioning>);

template <class P>
std::vector<coordinates<P::dimensions>> blocks_of(const P& pattern) {
  const box<P::dimensions> all{.extents = pattern.blocks()};
  std::vector<coordinates<P::dimensions>> blocks;
  for (std::size_t i = 0; i < all.size(); ++i) {
    blocks.push_back(row_major::at<P::dimensions>(i, all.extents));
  }
  return blocks;
}

template <class P>
std::map<member_t, std::size_t> blocks_by_member(const P& pattern) {
  std::map<member_t, std::size_t> count;
  for (member_t member = 0; member < pattern.members(); ++member) count[member] = 0;
  for (const auto& block : blocks_of(pattern)) ++count[pattern.block(block).member];
  return count;
}

template <class P, class Holds>
bool all_neighbours(const P& pattern, Holds&& holds) {
  for (const auto& block : blocks_of(pattern)) {
    for (std::size_t d = 0; d < P::dimensions; ++d) {
      auto next = block;
      if (++next[d] >= pattern.blocks()[d]) continue;
      if (!holds(pattern.block(block), pattern.block(next), d)) return false;
    }
  }
  return true;
}

template <class P>
std::vector<std::size_t> offsets_of(const P& pattern, const piece<P::dimensions>& lies) {
  std::vector<std::size_t> offsets;
  for (std::size_t i = 0; i < lies.where.size(); ++i) {
    auto at = row_major::at<P::dimensions>(i, lies.where.extents);
    for (std::size_t d = 0; d < P::dimensions; ++d) at[d] += lies.where.first[d];
    offsets.push_back(pattern.place_of(at).offset);
  }
  return offsets;
}

// Checks a property at every element.

template <class P>
bool looks(minimal_partitioning, const P& pattern) {
  return std::ranges::all_of(blocks_by_member(pattern),
                             [](auto& each) { return each.second <= 1; });
}
template <class P>
bool looks(consecutive_partitioning, const P& pattern) {
  member_t last = 0;
  for (std::size_t index = 0; index < pattern.size(); ++index) {
    const member_t member = pattern.place_of(index).member;
    if (member < last) return false;
    last = member;
  }
  return true;
}
template <class P>
bool looks(regular_partitioning, const P& pattern) {
  return std::ranges::all_of(blocks_of(pattern), [&](const auto& block) {
    const auto extents = pattern.block(block).where.extents;
    for (std::size_t d = 0; d < P::dimensions; ++d) {
      const bool is_last = block[d] + 1 == pattern.blocks()[d];
      if (!is_last && extents[d] != pattern.block({}).where.extents[d]) return false;
      if (extents[d] > pattern.block({}).where.extents[d]) return false;
    }
    return true;
  });
}
template <class P>
bool looks(balanced_partitioning, const P& pattern) {
  return std::ranges::all_of(blocks_of(pattern), [&](const auto& block) {
    const auto extents = pattern.block(block).where.extents;
    for (std::size_t d = 0; d < P::dimensions; ++d) {
      const std::size_t first = pattern.block({}).where.extents[d];
      if (extents[d] > first + 1 || first > extents[d] + 1) return false;
    }
    return true;
  });
}
template <class P>
bool looks(balanced_mapping, const P& pattern) {
  const auto count = blocks_by_member(pattern);
  const auto [least, most] =
      std::ranges::minmax_element(count, {}, [](const auto& each) { return each.second; });
  return most->second - least->second <= 1;
}
template <class P>
bool looks(neighbour_mapping, const P& pattern) {
  return pattern.members() == 1 ||
         all_neighbours(pattern, [](const auto& a, const auto& b, std::size_t) {
           return a.member != b.member;
         });
}
template <class P>
bool looks(diagonal_mapping, const P& pattern) {
  return all_neighbours(pattern, [&](const auto& a, const auto& b, std::size_t) {
    return b.member == (a.member + 1) % pattern.members();
  });
}
template <class P>
bool looks(cyclic_mapping, const P& pattern) {
  for (const auto& block : blocks_of(pattern)) {
    for (std::size_t d = 0; d < P::dimensions; ++d) {
      auto origin_of_row = block;
      origin_of_row[d] = 0;
      coordinates<P::dimensions> on_axis{};
      on_axis[d] = block[d];
      const bool here = pattern.block(block).member == pattern.block(origin_of_row).member;
      const bool there = pattern.block(on_axis).member == pattern.block({}).member;
      if (here != there) return false;
    }
  }
  return true;
}
template <class P>
bool looks(blocked_layout, const P& pattern) {
  return std::ranges::all_of(blocks_of(pattern), [&](const auto& block) {
    const piece<P::dimensions> lies = pattern.block(block);
    auto room = lies.where.extents;
    if (!P::memory_type::is_canonical) room = pattern.cuts().largest();
    std::size_t most = 1;
    for (const std::size_t extent : room) most *= extent;
    return std::ranges::all_of(offsets_of(pattern, lies),
                               [&](std::size_t offset) { return offset - lies.offset < most; });
  });
}
template <class P>
bool looks(linear_layout, const P& pattern) {
  std::map<member_t, std::size_t> next;
  for (std::size_t index = 0; index < pattern.size(); ++index) {
    const place where = pattern.place_of(index);
    if (where.offset < next[where.member]) return false;
    next[where.member] = where.offset + 1;
  }
  return true;
}
template <class P>
bool looks(canonical_layout, const P& pattern) {
  for (member_t member = 0; member < pattern.members(); ++member) {
    if constexpr (requires { pattern.local_extents(member); }) {
      if (box<P::dimensions>{.extents = pattern.local_extents(member)}.size() !=
          pattern.local_size(member)) {
        return false;
      }
    }
  }
  return true;
}

template <class Property, class P>
void expect_what_it_promises(const P& pattern, const char* name) {
  if constexpr (has_property<P, Property>) {
    EXPECT_TRUE(looks(Property{}, pattern)) << name;
  }
}

template <class P>
void expect_promises(const P& pattern) {
  if (pattern.size() == 0) return;
  expect_what_it_promises<minimal_partitioning>(pattern, "minimal partitioning");
  expect_what_it_promises<consecutive_partitioning>(pattern, "consecutive partitioning");
  expect_what_it_promises<regular_partitioning>(pattern, "regular partitioning");
  expect_what_it_promises<balanced_partitioning>(pattern, "balanced partitioning");
  expect_what_it_promises<balanced_mapping>(pattern, "balanced mapping");
  expect_what_it_promises<neighbour_mapping>(pattern, "neighbour mapping");
  expect_what_it_promises<diagonal_mapping>(pattern, "diagonal mapping");
  expect_what_it_promises<cyclic_mapping>(pattern, "cyclic mapping");
  expect_what_it_promises<blocked_layout>(pattern, "blocked layout");
  expect_what_it_promises<linear_layout>(pattern, "linear layout");
  expect_what_it_promises<canonical_layout>(pattern, "canonical layout");
}

class by_chance {
 public:
  [[nodiscard]] std::size_t below(std::size_t end) { return random_() % end; }
  [[nodiscard]] std::size_t from_one(std::size_t last) { return 1 + below(last); }

 private:
  std::mt19937 random_{7};
};

template <class Memory, cut... Cuts>
void expect_promises_of_mappings(by_chance& any, const coordinates<sizeof...(Cuts)>& parts,
                                 const Cuts&... cut) {
  constexpr std::size_t N = sizeof...(Cuts);
  const partition cuts(cut...);
  expect_promises(composed(cuts, grid<N>(cuts.blocks(), parts), Memory{}));
  const auto members = static_cast<member_t>(any.from_one(6));
  expect_promises(composed(cuts, in_turn<N>(cuts.blocks(), members), tiled<>{}));
  expect_promises(composed(cuts, shifted<N>(cuts.blocks(), members), tiled<>{}));
}

TEST(Properties, HoldForEveryPatternOfTheType) {
  by_chance any;
  for (int i = 0; i < 100; ++i) {
    const std::size_t rows = any.below(12);
    const std::size_t columns = any.below(12);
    const coordinates<2> parts{any.from_one(3), any.from_one(4)};
    SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(columns) + " on " +
                 std::to_string(parts[0]) + " x " + std::to_string(parts[1]));
    expect_promises_of_mappings<canonical<>>(any, {parts[0]}, balanced_cut(rows, parts[0]));
    expect_promises_of_mappings<tiled<>>(any, {parts[0]}, tiled_cut<2>(rows));
    expect_promises_of_mappings<canonical<>>(any, parts, balanced_cut(rows, parts[0]),
                                             blocked_cut(columns, parts[1]));
    expect_promises_of_mappings<canonical<column_major>>(any, parts, tiled_cut<2>(rows),
                                                         tiled_cut<1>(columns));
    expect_promises_of_mappings<tiled<column_major>>(any, parts, tiled_cut(rows, any.from_one(4)),
                                                     balanced_cut(columns, parts[1]));
    expect_promises_of_mappings<canonical<>>(any, {parts[0], 1}, balanced_cut(rows, parts[0]),
                                             whole_cut(columns));
  }
}

}  // namespace
