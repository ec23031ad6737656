// SPDX-License-Identifier: BSD-3-Clause
// Reads of a sorted map's tree.
//
// Functions return an empty optional after a concurrent change. User code runs only on whole keys
// and values.
#pragma once

#include <acre/container/order.hpp>
#include <acre/container/sorted/detail/tree_node.hpp>
#include <acre/global/team/stored.hpp>
#include <acre/runtime/world.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace acre::container {

template <class K>
struct start_of_search {
  const K* key = nullptr;
  bool is_after = false;
};

enum class scan_end : std::uint8_t { part, bound, full };

template <class K, class V, class Compare>
class tree_search {
 public:
  using leaf = leaf_node<stored_t<K>, stored_t<V>>;
  using inner = inner_node<stored_t<K>>;
  using start = start_of_search<K>;
  using entries = std::vector<std::pair<K, V>>;

  /// A level needs full nodes of at least 4 children below.
  static constexpr unsigned most_levels = 64;

  struct path {
    struct step {
      std::byte* node;
      std::uint32_t child;
    };
    std::array<step, most_levels> steps;
    unsigned depth = 0;
  };

  template <class Seen>
  static std::optional<tree_node> descend(std::uint64_t node, start from, const Seen& seen,
                                          path* way) {
    for (unsigned level = 0; level < most_levels; ++level) {
      const tree_node at(runtime::direct_address(node));
      if (at.is_leaf()) return at;
      const inner between(at);
      const std::uint32_t count = between.count();
      if (count == 0) return std::nullopt;
      const auto index = child_index(between, count, from, seen);
      if (!index) return std::nullopt;
      if (way != nullptr) way->steps[way->depth++] = {at.memory(), *index};
      node = between.child(*index);
      if (node == 0) return std::nullopt;
    }
    return std::nullopt;
  }

  /// @param root  or 0
  template <class Seen>
  static std::optional<bool> find(std::uint64_t root, const K& key, std::optional<V>* value,
                                  const Seen& seen) {
    if (value != nullptr) value->reset();  // of an attempt that failed
    if (root == 0) return false;
    const auto bottom = descend(root, {.key = &key}, seen, nullptr);
    if (!bottom) return std::nullopt;
    const leaf at(*bottom);
    const std::uint32_t count = at.count();
    const auto index = first_key(at, count, {.key = &key}, seen);
    if (!index) return std::nullopt;
    if (*index == count) return false;
    const std::optional<K> there = load<K>(at.key(*index), seen);
    if (!there) return std::nullopt;
    if (Compare{}(key, *there)) return false;
    if (value == nullptr) return true;
    *value = load<V>(at.value(*index), seen);
    return value->has_value() ? std::optional(true) : std::nullopt;
  }

  /// Up to `most` entries in order.
  /// @param bound  null, or excluded
  template <class Seen>
  static std::optional<scan_end> scan(std::uint64_t root, start from, const K* bound,
                                      std::size_t most, entries& into, const Seen& seen) {
    if (root == 0) return scan_end::part;
    path way;
    auto bottom = descend(root, from, seen, &way);
    if (!bottom) return std::nullopt;
    auto index = first_key(leaf(*bottom), bottom->count(), from, seen);
    if (!index) return std::nullopt;
    for (;;) {
      const leaf at(*bottom);
      for (const std::uint32_t count = at.count(); *index < count; ++*index) {
        if (into.size() == most) return scan_end::full;
        std::optional<K> key = load<K>(at.key(*index), seen);
        if (!key) return std::nullopt;
        if (bound != nullptr && !Compare{}(*key, *bound)) return scan_end::bound;
        std::optional<V> value = load<V>(at.value(*index), seen);
        if (!value) return std::nullopt;
        into.emplace_back(std::move(*key), std::move(*value));
      }
      if (!seen.holds()) return std::nullopt;
      bottom = next_leaf(way);
      if (!bottom) return seen.holds() ? std::optional(scan_end::part) : std::nullopt;
      index = 0;
    }
  }

  template <class Seen>
  static std::optional<std::uint32_t> child_index(const inner& at, std::uint32_t count, start from,
                                                  const Seen& seen) {
    if (from.key == nullptr) return 0;
    return partition(at.key(1), count - 1, seen,
                     [&](const K& bound) { return !Compare{}(*from.key, bound); });
  }

  /// `count` if there is no key.
  template <class Seen>
  static std::optional<std::uint32_t> first_key(const leaf& at, std::uint32_t count, start from,
                                                const Seen& seen) {
    if (from.key == nullptr) return 0;
    if (from.is_after) {
      return partition(at.key(0), count, seen,
                       [&](const K& each) { return !Compare{}(*from.key, each); });
    }
    return partition(at.key(0), count, seen,
                     [&](const K& each) { return Compare{}(each, *from.key); });
  }

  template <class T, class Seen>
  static std::optional<T> load(const std::byte* place, const Seen& seen) {
    using form = stored_form<T>;
    const auto stored = global::load_direct<stored_t<T>>(place);
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
      return stored;
    } else {
      if (!seen.holds()) return std::nullopt;
      const auto& image = form::copy(stored);
      // The block may have been freed.
      if constexpr (is_separate<T>) {
        if (!seen.holds()) return std::nullopt;
      }
      return form::load(image);
    }
  }

 private:
  /// Empty after the last.
  static std::optional<tree_node> next_leaf(path& way) {
    while (way.depth != 0) {
      auto& last = way.steps[way.depth - 1];
      const inner parent{tree_node(last.node)};
      if (last.child + 1 >= parent.count()) {
        --way.depth;
        continue;
      }
      std::uint64_t node = parent.child(++last.child);
      while (node != 0) {
        const tree_node at(runtime::direct_address(node));
        if (at.is_leaf()) return at;
        if (way.depth == most_levels) return std::nullopt;
        way.steps[way.depth++] = {at.memory(), 0};
        node = inner(at).child(0);
      }
      return std::nullopt;
    }
    return std::nullopt;
  }

  template <class Seen, class GoesOn>
  static std::optional<std::uint32_t> partition(const std::byte* keys, std::uint32_t count,
                                                const Seen& seen, GoesOn goes_on) {
    constexpr std::size_t size = sizeof(stored_t<K>);
    if constexpr (std::is_arithmetic_v<K> || std::is_enum_v<K>) {
      const auto key = [&](std::uint32_t at) { return global::load_direct<K>(keys + at * size); };
      // Branches would be mispredicted.
      std::uint32_t first = 0;
      for (std::uint32_t left = count; left > 1; left -= left / 2) {
        first = goes_on(key(first + left / 2 - 1)) ? first + left / 2 : first;
      }
      return count != 0 && goes_on(key(first)) ? first + 1 : first;
    } else {
      std::uint32_t first = 0;
      while (first < count) {
        const std::uint32_t middle = first + (count - first) / 2;
        const std::optional<K> each = load<K>(keys + middle * size, seen);
        if (!each) return std::nullopt;
        if (goes_on(*each)) {
          first = middle + 1;
        } else {
          count = middle;
        }
      }
      return first;
    }
  }
};

}  // namespace acre::container
