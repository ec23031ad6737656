// SPDX-License-Identifier: BSD-3-Clause
// Pairs of a key and a value, sorted by key in a temporary array.
#pragma once

#include <acre/algorithm/sort.hpp>
#include <acre/algorithm/transform.hpp>
#include <acre/array/array.hpp>
#include <acre/base/invoke.hpp>
#include <acre/base/site.hpp>
#include <acre/view/ranges.hpp>

#include <concepts>
#include <cstddef>
#include <ranges>

namespace acre::algorithm {

template <class T>
concept stored_element = transferable<T> && std::default_initializable<T>;

template <class K, class V>
struct keyed_element {
  K key;
  V value;
};

inline constexpr auto as_keyed = []<class K, class V>(const K& key, const V& value) {
  return keyed_element<K, V>{key, value};
};

/// Pairs of the elements of two ranges at equal positions, stably sorted by key. Collective.
template <ranges::distributed_range Keys, ranges::distributed_range Values, class Less,
          class Projection>
[[nodiscard]] auto sorted_by_key(Keys& keys, Values& values, const Less& less,
                                 const Projection& projection, const site& where) {
  using K = ranges::value_of<Keys>;
  using V = ranges::value_of<Values>;
  const auto size = static_cast<std::size_t>(std::ranges::size(keys));
  array<keyed_element<K, V>> all(ranges::members(keys), size, where);
  acre::transform(keys, values, all, as_keyed, where);
  stable_sort(
      all, less,
      [&](const keyed_element<K, V>& each) -> decltype(auto) {
        return base::invoke(projection, each.key);
      },
      where);
  return all;
}

}  // namespace acre::algorithm
