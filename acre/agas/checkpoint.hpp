// SPDX-License-Identifier: BSD-3-Clause
// Checkpoints of collections in a file; restart on any number of ranks.
//
//     acre::checkpoint(cells, "cells.acre");                             // collective
//     auto cells = acre::restore<decltype(cells)>("cells.acre");         // in another job
//
// Names in a state (object_id, object_ref, collection_id) must refer to members of collections in
// the file. They are stored as indices if acre_fields, acre_save or containers reach them; a name
// in a class sent as bytes is an error. Function pointers are valid in the same build only.
#pragma once

#include <acre/agas/collection.hpp>
#include <acre/agas/detail/collection_state.hpp>
#include <acre/agas/detail/hosted_object.hpp>
#include <acre/agas/detail/named_state.hpp>
#include <acre/base/site.hpp>
#include <acre/global/team/team_file.hpp>

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace acre {
namespace agas {

struct checkpoint_part {
  const collection_state* members;
  void (*save)(const hosted_object& object, named_state& state);
};

void write_checkpoint(std::span<const checkpoint_part> parts, const std::string& path,
                      const site& where);

struct expected_part {
  object_type* type;
  std::size_t dimensions;
};

struct restore_hook {
  std::size_t part;
  void (*call)(hosted_object& member);
};

/// A file being read. The constructor and fill() are collective, and throw on all ranks.
class checkpoint_reader {
 public:
  checkpoint_reader(const std::string& path, std::span<const expected_part> expected,
                    const site& where);
  [[nodiscard]] const std::vector<std::size_t>& extents(std::size_t part) const {
    return parts_[part].extents;
  }
  /// Makes all members and calls the hooks; if one fails on any rank, no member remains.
  void fill(std::span<const std::unique_ptr<collection_state>> all,
            std::span<const restore_hook> hooks);

  struct part_description {
    std::string type;
    std::vector<std::size_t> extents;
    std::uint64_t index = 0;
    friend auto acre_fields(part_description& p) { return std::tie(p.type, p.extents, p.index); }
  };

 private:
  struct record;
  void read_members(std::span<const std::unique_ptr<collection_state>> all);
  [[nodiscard]] record read_member(std::size_t part, std::size_t number) const;
  void require_index(const part_description& part) const;
  [[nodiscard]] error damaged(const std::string& what) const;

  global::team_file file_;
  site where_;
  std::vector<part_description> parts_;
};

template <class T, std::size_t N>
[[nodiscard]] checkpoint_part part_of(const object_collection<T, N>& members) {
  constexpr bool can_be_written = movable_object<T>;
  static_assert(can_be_written,
                "objects of this class cannot be written, because they cannot be sent: define "
                "acre_fields, or acre_save and acre_load (serialization.hpp)");
  return {&collection_access::state(members),
          []([[maybe_unused]] const hosted_object& object, [[maybe_unused]] named_state& state) {
            if constexpr (movable_object<T>) {
              global::save(state, static_cast<const hosted<T>&>(object).value);
            }
          }};
}

template <class Collection>
struct collection_traits;
template <class Collection>
struct collection_traits<const Collection> : collection_traits<Collection> {};
template <class T, std::size_t N>
struct collection_traits<object_collection<T, N>> {
  using type = object_collection<T, N>;

  static expected_part expected() { return {&type_of<T>(), N}; }
  template <class... How>
  static std::unique_ptr<collection_state> plan(const std::vector<std::size_t>& found,
                                                const How&... how) {
    layout::coordinates<N> extents{};
    for (std::size_t d = 0; d < N; ++d) extents[d] = found[d];
    return std::make_unique<collection_state>(plan_collection<T, N>(extents, how...));
  }
  static void add_hook([[maybe_unused]] std::vector<restore_hook>& hooks,
                       [[maybe_unused]] std::size_t part) {
    if constexpr (requires(T& member) { acre_after_restore(member); }) {
      hooks.push_back(
          {part, [](hosted_object& member) { acre_after_restore(value_of<T>(member)); }});
    }
  }
  static type finish(std::unique_ptr<collection_state> filled, const site& where) {
    return collection_access::make<T, N>(std::move(filled), where);
  }
};

template <class... Collections>
[[nodiscard]] std::vector<restore_hook> hooks_of() {
  std::vector<restore_hook> hooks;
  std::size_t part = 0;
  (collection_traits<Collections>::add_hook(hooks, part++), ...);
  return hooks;
}

}  // namespace agas

/// Writes all members to a file visible to all ranks. Collective over the job. Waits as drain();
/// calls and moves are forbidden meanwhile. Replaces an old file atomically, even if a rank dies.
/// Destroyed members stay destroyed. Cost: drain(), 5 allgathers, 3 allreduces, a scan, a
/// broadcast, a copy of this rank's states, the writes.
/// @throws acre::error on all ranks if writing fails, or a state names an object outside the file
template <class T, std::size_t N>
void checkpoint(const object_collection<T, N>& members, const std::string& path,
                const site& where = site::current()) {
  const std::array parts{agas::part_of(members)};
  agas::write_checkpoint(parts, path, where);
}
/// Writes several collections, which may name each other: std::tie(cells, sums).
template <class... Collections>
void checkpoint(const std::tuple<Collections&...>& several, const std::string& path,
                const site& where = site::current()) {
  const auto parts =
      std::apply([](const auto&... each) { return std::array{agas::part_of(each)...}; }, several);
  agas::write_checkpoint(parts, path, where);
}

/// Restores one collection, or a std::tuple of all in file order, on any number of ranks.
/// Collective over the job. Distributes members as make_collection(). `void acre_after_restore(T&)`
/// runs when all members exist, before any call; if it throws, restore() fails on all ranks. Cost:
/// 1 allreduce, 3 per collection, 3 allgathers, an alltoallv, B; an allgather for the hook; the
/// reads of this rank's members.
/// @throws acre::error on all ranks, without new objects, if the file is unreadable, damaged, or
/// contains other collections
template <class First, class... More>
[[nodiscard]] auto restore(const std::string& path, const site& where = site::current()) {
  const std::array expected{agas::collection_traits<First>::expected(),
                            agas::collection_traits<More>::expected()...};
  agas::checkpoint_reader from(path, expected, where);
  std::size_t part = 0;
  std::array<std::unique_ptr<agas::collection_state>, 1 + sizeof...(More)> all{
      agas::collection_traits<First>::plan(from.extents(part)),
      agas::collection_traits<More>::plan(from.extents(++part))...};
  from.fill(all, agas::hooks_of<First, More...>());
  part = 0;
  if constexpr (sizeof...(More) == 0) {
    return agas::collection_traits<First>::finish(std::move(all[0]), where);
  } else {
    std::tuple<std::remove_const_t<First>, std::remove_const_t<More>...> made{
        agas::collection_traits<First>::finish(std::move(all[0]), where),
        agas::collection_traits<More>::finish(std::move(all[++part]), where)...};
    return made;
  }
}
/// Restores one collection with a given distribution.
template <class Collection, class How>
  requires agas::placement<How, Collection::dimensions>
[[nodiscard]] Collection restore(const std::string& path, const How& how,
                                 const site& where = site::current()) {
  const std::array expected{agas::collection_traits<Collection>::expected()};
  agas::checkpoint_reader from(path, expected, where);
  std::array all{agas::collection_traits<Collection>::plan(from.extents(0), how)};
  from.fill(all, agas::hooks_of<Collection>());
  return agas::collection_traits<Collection>::finish(std::move(all[0]), where);
}

}  // namespace acre
