// SPDX-License-Identifier: BSD-3-Clause
// Binary searches of many values in a sorted distributed range. Collective in its team.
//
//     acre::array<std::size_t> places(acre::world(), values.size());
//     acre::lower_bound(sorted, values, places);       // numpy.searchsorted(sorted, values)
//
// For one value, std::lower_bound(sorted.begin(), sorted.end(), x) is one-sided: log2(size) R.
#pragma once

#include <acre/algorithm/copy.hpp>
#include <acre/algorithm/detail/aligned_runs.hpp>
#include <acre/algorithm/detail/keyed_elements.hpp>
#include <acre/algorithm/detail/range_blocks.hpp>
#include <acre/algorithm/detail/then_barrier.hpp>
#include <acre/algorithm/reduce.hpp>
#include <acre/algorithm/refused_calls.hpp>
#include <acre/base/site.hpp>
#include <acre/global/team/same_team.hpp>
#include <acre/global/team/succeed_together.hpp>
#include <acre/view/call_ranges.hpp>
#include <acre/view/ranges.hpp>
#include <acre/view/segment_walk.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <ranges>
#include <span>
#include <typeinfo>
#include <utility>
#include <vector>

namespace acre {

namespace algorithm {

/// First elements of blocks, in order.
template <class T>
struct block_beginning {
  T first;
  std::size_t index;
  rank_t member;
};
template <class T>
[[nodiscard]] std::vector<block_beginning<T>> block_beginnings(const team& members,
                                                               const range_blocks& blocks,
                                                               const site& where) {
  const range_block& own = blocks[members.rank()];
  possible<T> mine;
  if (own.count != 0) mine = {.value = own.local<const T>()[0], .is_there = true};
  const std::vector<possible<T>> all = members.allgather(mine, where);
  std::vector<block_beginning<T>> beginnings;
  for (rank_t member = 0; member < members.size(); ++member) {
    if (all[member].is_there) {
      beginnings.push_back({all[member].value, blocks[member].first, member});
    }
  }
  std::ranges::sort(beginnings, {}, &block_beginning<T>::index);
  return beginnings;
}

/// Member with the first element that `precedes_value` rejects.
template <class Beginnings, class Precedes>
[[nodiscard]] rank_t member_to_search(const Beginnings& beginnings,
                                      const Precedes& precedes_value) {
  const auto after = std::ranges::partition_point(
      beginnings, [&](const auto& each) { return precedes_value(each.first); });
  // A value before all elements is at the beginning of the first block.
  const auto in = after == beginnings.begin() ? after : after - 1;
  return in == beginnings.end() ? 0 : in->member;
}

template <class V>
struct sent_values {
  std::vector<V> values;
  std::vector<std::size_t> counts;  ///< per member
  std::vector<std::size_t> places;  ///< original indices
};

template <class T, class V, class Precedes>
[[nodiscard]] sent_values<V> by_block(const std::vector<block_beginning<T>>& beginnings,
                                      rank_t members, const std::vector<V>& values,
                                      const Precedes& precedes) {
  std::vector<rank_t> targets(values.size());
  sent_values<V> sent{.values = values, .counts = std::vector<std::size_t>(members), .places = {}};
  for (std::size_t i = 0; i < values.size(); ++i) {
    targets[i] = member_to_search(
        beginnings, [&](const T& first) -> bool { return precedes(first, values[i]); });
    ++sent.counts[targets[i]];
  }
  std::vector<std::size_t> next(members);
  for (rank_t member = 1; member < members; ++member) {
    next[member] = next[member - 1] + sent.counts[member - 1];
  }
  sent.places.resize(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t to = next[targets[i]]++;
    sent.values[to] = values[i];
    sent.places[to] = i;
  }
  return sent;
}

template <class T, class V, class Precedes>
[[nodiscard]] std::vector<std::size_t> find_in_blocks(const team& members,
                                                      const range_blocks& blocks,
                                                      const std::vector<V>& values,
                                                      const char* call, const Precedes& precedes,
                                                      const site& where) {
  const auto beginnings = block_beginnings<T>(members, blocks, where);
  sent_values<V> sent;
  global::succeed_together(members, call, where,
                           [&] { sent = by_block(beginnings, members.size(), values, precedes); });
  const auto asked = members.alltoallv(std::span<const V>(sent.values),
                                       std::span<const std::size_t>(sent.counts), where);
  std::vector<std::size_t> found(asked.values.size());
  global::succeed_together(members, call, where, [&] {
    const range_block& own = blocks[members.rank()];
    const std::span<const T> elements = own.local<const T>();
    for (std::size_t i = 0; i < found.size(); ++i) {
      const auto at = std::ranges::partition_point(
          elements, [&](const T& each) { return precedes(each, asked.values[i]); });
      found[i] = own.first + static_cast<std::size_t>(at - elements.begin());
    }
  });
  const auto answers = members.alltoallv(std::span<const std::size_t>(found),
                                         std::span<const std::size_t>(asked.counts), where);
  std::vector<std::size_t> indices(values.size());
  for (std::size_t i = 0; i < indices.size(); ++i) indices[sent.places[i]] = answers.values[i];
  return indices;
}

template <class Sorted, class Values, class Indices, class Precedes>
void search_sorted(Sorted& sorted, Values& values, Indices& indices, const char* call,
                   const std::type_info& order, const Precedes& precedes, const site& where) {
  using T = ranges::value_of<Sorted>;
  using V = ranges::value_of<Values>;
  view::begin_collective_call(call, where, {{"the order", order}}, sorted, values, indices);
  const team& members = ranges::members(sorted);
  global::check_same_team(call, "the sorted range", members, "the range of indices",
                          ranges::members(indices), where);
  const auto size = static_cast<std::size_t>(std::ranges::size(values));
  require_equal_sizes(call, size, std::ranges::size(indices), where);
  in_read_blocks(sorted, call, where, [&](const range_blocks& blocks) {
    std::vector<V> own;
    global::succeed_together(members, call, where, [&] {
      each_aligned_run(
          indices, size, where,
          [&](std::size_t, const auto&, const auto& source) {
            for (const auto& each : source) own.push_back(static_cast<V>(each));
          },
          values);
    });
    const std::vector<std::size_t> found =
        find_in_blocks<T>(members, blocks, own, call, precedes, where);
    then_barrier(members, where, [&] {
      std::size_t next = 0;
      ranges::each_own_run(indices, [&](std::size_t, const auto& run) {
        for (auto& each : run) each = static_cast<ranges::value_of<Indices>>(found[next++]);
      });
    });
  });
}

template <class Sorted, class Values, class Indices, class Less>
concept takes_search =
    stored_element<ranges::value_of<Sorted>> && stored_element<ranges::value_of<Values>> &&
    std::integral<ranges::value_of<Indices>> &&
    std::predicate<const Less&, const ranges::value_of<Sorted>&, const ranges::value_of<Values>&> &&
    std::predicate<const Less&, const ranges::value_of<Values>&, const ranges::value_of<Sorted>&>;

}  // namespace algorithm

/// indices[i] becomes the index of the first element that is not less than values[i], or
/// size(sorted): numpy.searchsorted with side='left'. Distributions may differ. Cost: 2 B, 3
/// allreduces, 2 allgathers, 2 alltoallv of own values and indices, R per run of values at others.
/// Several runs of `sorted` per member: also a copy of it. Memory: 3 copies of own values and
/// indices.
/// @throws acre::error if sizes or teams differ; the exception of `less`, acre::error on others
template <ranges::memory_range Sorted, ranges::distributed_range Values,
          ranges::writable_range Indices, class Less = std::ranges::less>
  requires algorithm::takes_search<Sorted, Values, Indices, Less>
void lower_bound(Sorted&& sorted, Values&& values, Indices&& indices, const Less& less = {},
                 const site& where = site::current()) {
  algorithm::search_sorted(
      sorted, values, indices, "lower_bound", typeid(Less),
      [&](const auto& element, const auto& value) -> bool { return less(element, value); }, where);
}

/// As lower_bound(), for the first element that is greater than values[i]: side='right'.
template <ranges::memory_range Sorted, ranges::distributed_range Values,
          ranges::writable_range Indices, class Less = std::ranges::less>
  requires algorithm::takes_search<Sorted, Values, Indices, Less>
void upper_bound(Sorted&& sorted, Values&& values, Indices&& indices, const Less& less = {},
                 const site& where = site::current()) {
  algorithm::search_sorted(
      sorted, values, indices, "upper_bound", typeid(Less),
      [&](const auto& element, const auto& value) -> bool { return !less(value, element); }, where);
}

}  // namespace acre
