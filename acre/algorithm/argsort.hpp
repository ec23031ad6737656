// SPDX-License-Identifier: BSD-3-Clause
// Sorts of indices, and of one range by another. Collective in the range's team.
//
//     const acre::array<std::size_t> order = acre::argsort(a);       // a[order[0]] is the least
//     acre::sort_by_key(keys, values);                               // values follow their keys
#pragma once

#include <acre/algorithm/copy.hpp>
#include <acre/algorithm/detail/keyed_elements.hpp>
#include <acre/algorithm/refused_calls.hpp>
#include <acre/algorithm/transform.hpp>
#include <acre/array/array.hpp>
#include <acre/base/site.hpp>
#include <acre/global/team/same_team.hpp>
#include <acre/view/call_ranges.hpp>
#include <acre/view/ranges.hpp>
#include <acre/view/zipped.hpp>

#include <algorithm>
#include <cstddef>
#include <ranges>
#include <typeinfo>
#include <utility>

namespace acre {

/// Indices of the elements in ascending order of projection(element), stable, as numpy.argsort with
/// kind='stable'. Cost: 2 transform(), stable_sort() of pairs of an element and an index, and two
/// arrays of the team.
/// @throws acre::error on all members for short memory; the exception of `less`, acre::error on
/// others
template <ranges::distributed_range R, class Less = std::ranges::less,
          class Projection = std::identity>
  requires algorithm::stored_element<ranges::value_of<R>> &&
           algorithm::takes_sorting<R, Less, Projection>
[[nodiscard]] array<std::size_t> argsort(R&& range, const Less& less = {},
                                         const Projection& projection = {},
                                         const site& where = site::current()) {
  view::begin_collective_call("argsort", where, {{"the order", typeid(Less)}}, range);
  const auto size = static_cast<std::size_t>(std::ranges::size(range));
  array<std::size_t> indices(ranges::members(range), size, [](std::size_t i) { return i; }, where);
  const auto all = algorithm::sorted_by_key(range, indices, less, projection, where);
  acre::transform(all, indices, [](const auto& each) { return each.value; }, where);
  return indices;
}

/// Sorts `keys`, and permutes `values` equally, stably: as std::ranges::sort of a zip.
/// Distributions may differ. Cost: 3 transform(), stable_sort() of pairs, and an array of the team.
/// @throws acre::error on all members if sizes or teams differ; otherwise as argsort(), and both
/// ranges are unchanged
template <ranges::writable_range Keys, ranges::writable_range Values,
          class Less = std::ranges::less, class Projection = std::identity>
  requires algorithm::stored_element<ranges::value_of<Keys>> &&
           algorithm::stored_element<ranges::value_of<Values>> &&
           algorithm::takes_sorting<Keys, Less, Projection>
void sort_by_key(Keys&& keys, Values&& values, const Less& less = {},
                 const Projection& projection = {}, const site& where = site::current()) {
  view::begin_collective_call("sort_by_key", where, {{"the order", typeid(Less)}}, keys, values);
  global::check_same_team("sort_by_key", "keys", ranges::members(keys), "values",
                          ranges::members(values), where);
  algorithm::require_equal_sizes("sort_by_key", std::ranges::size(keys), std::ranges::size(values),
                                 where);
  const auto all = algorithm::sorted_by_key(keys, values, less, projection, where);
  acre::transform(all, keys, [](const auto& each) { return each.key; }, where);
  acre::transform(all, values, [](const auto& each) { return each.value; }, where);
}

}  // namespace acre
