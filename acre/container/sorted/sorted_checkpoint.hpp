// SPDX-License-Identifier: BSD-3-Clause
// Collective checkpoints of sorted maps, restored by any number of ranks. Compare may change.
#pragma once

#include <acre/base/bits.hpp>
#include <acre/base/site.hpp>
#include <acre/container/guarantee.hpp>
#include <acre/container/sorted/sorted_map.hpp>
#include <acre/global/team/record_file.hpp>
#include <acre/global/team/saved_pieces.hpp>
#include <acre/global/wire/serialization.hpp>
#include <acre/runtime/lost_failure.hpp>

#include <concepts>
#include <cstddef>
#include <span>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

namespace acre {

namespace container {

template <class K, class V, class Compare>
[[nodiscard]] global::saved_container content_of_sorted_map() {
  return global::description_of(typeid(sorted_map<K, V, Compare>), typeid(K), typeid(V));
}

/// At equal distances.
template <class K>
[[nodiscard]] std::vector<K> sample_of(const std::vector<K>& keys) {
  constexpr std::size_t most = 256;
  std::vector<K> sample;
  const std::size_t count = smaller(keys.size(), most);
  for (std::size_t i = 0; i < count; ++i) sample.push_back(keys[i * keys.size() / count]);
  return sample;
}

}  // namespace container

/// As hash_checkpoint.hpp. Cost: sync(), 6 allgathers, a copy of own entries, the writes.
template <class K, class V, class Compare>
void checkpoint(const sorted_map<K, V, Compare>& map, const std::string& path,
                const site& where = site::current()) {
  const runtime::failures_held until_all_is_done;
  map.sync(where);
  global::saved_pieces mine;
  global::run_together(map.members(), "checkpoint", where, [&] {
    map.for_each_local([&](const K& key, const V& value) { mine.add(key, value); }, where);
  });
  mine.write(map.members(), container::content_of_sorted_map<K, V, Compare>(), path, where);
}

/// As hash_checkpoint.hpp; invalidates iterators. Cost: 5 allgathers, construction, insert_many(),
/// rebalance().
template <class K, class V, class Compare>
  requires(!std::same_as<K, bool> && !std::same_as<V, bool>)
void restore(sorted_map<K, V, Compare>& map, const std::string& path,
             const site& where = site::current()) {
  const runtime::failures_held until_all_is_done;
  const team members = map.members();
  const global::saved_file file(members, container::content_of_sorted_map<K, V, Compare>(), path,
                                where);
  std::vector<K> keys;
  std::vector<V> values;
  std::vector<K> sample;
  global::run_together(members, "restore", where, [&] {
    global::for_each_saved(file.read_share(), [&](reader& from) {
      keys.push_back(from.read<K>());
      values.push_back(from.read<V>());
    });
    sample = container::sample_of(keys);
  });
  sorted_map<K, V, Compare> restored(members, sample, where);
  global::run_together(members, "restore", where, [&] {
    restored.insert_many(std::span<const K>(keys), std::span<const V>(values), no_guarantee{},
                         where);
  });
  restored.rebalance(where);
  map = std::move(restored);
}

}  // namespace acre
