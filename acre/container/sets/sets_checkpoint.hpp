// SPDX-License-Identifier: BSD-3-Clause
// Collective checkpoints of disjoint sets, restored by any number of ranks.
#pragma once

#include <acre/base/site.hpp>
#include <acre/container/guarantee.hpp>
#include <acre/container/sets/disjoint_set.hpp>
#include <acre/container/sets/union_find.hpp>
#include <acre/global/team/record_file.hpp>
#include <acre/global/team/saved_pieces.hpp>
#include <acre/global/wire/serialization.hpp>
#include <acre/runtime/lost_failure.hpp>

#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

namespace acre {

/// As hash_checkpoint.hpp, without concurrent calls. Cost: B + 6 allgathers, find_many() of own
/// elements, the writes.
void checkpoint(const union_find& sets, const std::string& path,
                const site& where = site::current());

/// As hash_checkpoint.hpp, without concurrent calls. Cost: 5 allgathers, clear(), unite_all().
/// @throws acre::error also for another number of elements
void restore(union_find& sets, const std::string& path, const site& where = site::current());

namespace container {
template <class C>
[[nodiscard]] global::saved_container content_of_disjoint_set() {
  return global::description_of(typeid(C), typeid(typename C::key_type), typeid(void));
}
}  // namespace container

template <class K, class Hash, class Equal>
void checkpoint(const disjoint_set<K, Hash, Equal>& sets, const std::string& path,
                const site& where = site::current()) {
  const runtime::failures_held until_all_is_done;
  sets.members().barrier(where);
  global::saved_pieces mine;
  global::run_together(sets.members(), "checkpoint", where, [&] {
    sets.for_each_local(
        [&](const K& key, const K& representative) { mine.add(key, representative); }, where);
  });
  mine.write(sets.members(), container::content_of_disjoint_set<disjoint_set<K, Hash, Equal>>(),
             path, where);
}

/// For any number of keys. Cost: also reserve().
template <class K, class Hash, class Equal>
void restore(disjoint_set<K, Hash, Equal>& sets, const std::string& path,
             const site& where = site::current()) {
  const runtime::failures_held until_all_is_done;
  const global::saved_file file(sets.members(),
                                container::content_of_disjoint_set<disjoint_set<K, Hash, Equal>>(),
                                path, where);
  std::vector<std::pair<K, K>> pairs;
  global::run_together(sets.members(), "restore", where, [&] {
    global::for_each_saved(file.read_share(), [&](reader& from) {
      K key = from.read<K>();
      pairs.emplace_back(std::move(key), from.read<K>());
    });
  });
  sets.reserve(file.content().items, where);
  sets.clear(where);
  global::run_together(sets.members(), "restore", where,
                       [&] { sets.unite_all(pairs, no_guarantee{}, where); });
}

}  // namespace acre
