// SPDX-License-Identifier: BSD-3-Clause
// Checkpoints of hash containers; any number of ranks restores them.
//
//     acre::checkpoint(map, "map.acre");
//     acre::restore(map, "map.acre");
//
// The file contains no hashes, so Hash may change.
#pragma once

#include <acre/base/site.hpp>
#include <acre/container/hash/buffered.hpp>
#include <acre/container/hash/detail/value_list.hpp>
#include <acre/global/team/record_file.hpp>
#include <acre/global/team/saved_pieces.hpp>
#include <acre/global/wire/serialization.hpp>
#include <acre/runtime/lost_failure.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <typeinfo>
#include <vector>

namespace acre {

namespace container {

template <class C>
concept saved_hash_container = requires { typename table_of<C>::part; };

template <class C>
[[nodiscard]] global::saved_container content_of_hash_container() {
  return global::description_of(typeid(C), typeid(typename C::key_type),
                                typeid(typename C::mapped_type));
}

template <class C, class Use>
void for_each_saved_entry(const std::vector<std::vector<std::byte>>& pieces, Use&& use) {
  global::for_each_saved(pieces, [&](reader& from) {
    const auto key = from.read<typename C::key_type>();
    use(key, from.read<typename table_of<C>::part::mapped_type>());
  });
}

template <class Writer, class K, class V>
void insert_saved(Writer& writer, const K& key, const V& value) {
  writer.insert(key, value);
}
template <class Writer, class K, class V>
void insert_saved(Writer& writer, const K& key, const value_list<V>& list) {
  for (const V& each : list.values) writer.insert(key, each);
}

}  // namespace container

/// Writes a file visible to all ranks. Collective. Replaces an old one atomically, even if a rank
/// dies. Cost: as sync() + 6 allgathers, a copy of this rank's entries, the writes.
/// @throws acre::error on all members if writing fails
template <container::saved_hash_container C>
void checkpoint(const C& map, const std::string& path, const site& where = site::current()) {
  const runtime::failures_held until_all_is_done;
  auto& table = map.guts();
  table.sync(where);
  global::saved_pieces mine;
  global::run_together(map.members(), "checkpoint", where, [&] {
    table.local_part().view().for_each(
        [&](const auto& key, const auto& value) { mine.add(key, value); });
  });
  mine.write(map.members(), container::content_of_hash_container<C>(), path, where);
}

/// Replaces all entries, and grows if needed. Collective. Cost: 5 allgathers, clear(),
/// reserve(), flush_and_grow(); reads an equal share of the file.
/// @throws acre::error on all members, without a change, if the file is unreadable, damaged, or of
/// another container
template <container::saved_hash_container C>
void restore(C& map, const std::string& path, const site& where = site::current()) {
  const runtime::failures_held until_all_is_done;
  const global::saved_file file(map.members(), container::content_of_hash_container<C>(), path,
                                where);
  std::vector<std::vector<std::byte>> pieces;
  std::uint64_t entries = 0;
  global::run_together(map.members(), "restore", where, [&] {
    pieces = file.read_share();
    container::for_each_saved_entry<C>(pieces, [&](const auto&, const auto&) { ++entries; });
  });
  map.clear(where);
  // Entries are ordered by hash; growth in steps would crowd them.
  map.guts().reserve(map.members().allreduce(entries, op::sum, where), where);
  buffered writer(map, inserting, where);
  global::run_together(map.members(), "restore", where, [&] {
    container::for_each_saved_entry<C>(pieces, [&](const auto& key, const auto& value) {
      container::insert_saved(writer, key, value);
    });
  });
  writer.flush_and_grow(0.75, where);
}

}  // namespace acre
