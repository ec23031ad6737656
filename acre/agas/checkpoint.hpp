// SPDX-License-Identifier: BSD-3-Clause
// Checkpoints: collections in a file, to go on from there on any number of ranks.
//
//     acre::checkpoint(cells, "cells.acre");                             // on all ranks
//     auto cells = acre::restore<decltype(cells)>("cells.acre");         // in another job
//
//     using cells_type = acre::object_collection<cell, 2>;               // they name each other
//     acre::checkpoint(std::tie(cells, sums), "all.acre");
//     auto [cells, sums] = acre::restore<cells_type, acre::object_collection<tally>>("all.acre");
//
// A state is what travels when its object moves. Names in it (object_id, object_ref, collection_id)
// are those of members of collections in the same file: there they are an index, and name the same
// member when they are read. They are found where acre_fields, acre_save and containers lead to
// them; in a class without these, which is sent as its bytes, nobody can see them: an error says
// so. Pointers to functions mean something to the same build of a program only.
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

/// A collection that is to be written.
struct checkpoint_part {
  const collection_state* members;
  void (*save)(const hosted_object& object, named_state& state);
};

void write_checkpoint(std::span<const checkpoint_part> parts, const std::string& path,
                      const site& where);

/// What a program expects of a collection in a file.
struct expected_part {
  object_type* type;
  std::size_t dimensions;
};

/// The hook that is called for each member of a collection once all are restored.
struct restore_hook {
  std::size_t part;
  void (*call)(hosted_object& member);
};

/// A file that is being read. All calls are collective, and what is wrong is an error on all ranks.
class checkpoint_reader {
 public:
  checkpoint_reader(const std::string& path, std::span<const expected_part> expected,
                    const site& where);
  /// Of a collection in the file.
  [[nodiscard]] const std::vector<std::size_t>& extents(std::size_t part) const {
    return parts_[part].extents;
  }
  /// Makes all members, and calls the hooks. Where one fails, on any rank, no member is left.
  void fill(std::span<const std::unique_ptr<collection_state>> all,
            std::span<const restore_hook> hooks);

  struct part_description {
    std::string type;
    std::vector<std::size_t> extents;
    std::uint64_t index = 0;  ///< where the places of its members lie
    friend auto acre_fields(part_description& p) { return std::tie(p.type, p.extents, p.index); }
  };

 private:
  struct record;
  void read_members(std::span<const std::unique_ptr<collection_state>> all);
  [[nodiscard]] record read_member(std::size_t part, std::size_t number) const;
  /// @throws acre::error when the file is too short for the index of these members
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
                "objects of this class cannot be written, because they cannot be sent: give it "
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

/// The hooks of collections, in their order in the file.
template <class... Collections>
[[nodiscard]] std::vector<restore_hook> hooks_of() {
  std::vector<restore_hook> hooks;
  std::size_t part = 0;
  (collection_traits<Collections>::add_hook(hooks, part++), ...);
  return hooks;
}

}  // namespace agas

/// Writes all members to a file, wherever they are. Collective over the job; it waits until all
/// calls have run, as drain(), and while it writes nobody calls or moves members. The file is whole
/// or it is not there: what had the name before stays until all is on the disk, also where a rank
/// dies. Members that were destroyed are so when it is read. All ranks see the file.
/// Cost: drain(), 7 allgathers, an allreduce, the memory of this rank's states once more, and their
/// bytes written.
/// @throws acre::error on all ranks: when it cannot be written, or a state holds the name of an
/// object that is not in the file
template <class T, std::size_t N>
void checkpoint(const object_collection<T, N>& members, const std::string& path,
                const site& where = site::current()) {
  const std::array parts{agas::part_of(members)};
  agas::write_checkpoint(parts, path, where);
}
/// Several, which may name each other: std::tie(cells, sums).
template <class... Collections>
void checkpoint(const std::tuple<Collections&...>& several, const std::string& path,
                const site& where = site::current()) {
  const auto parts =
      std::apply([](const auto&... each) { return std::array{agas::part_of(each)...}; }, several);
  agas::write_checkpoint(parts, path, where);
}

/// Makes the collections that a file holds, in the order in which they were written, on any number
/// of ranks: the one, or a std::tuple of several. Collective over the job. Members are spread as
/// make_collection() does. `void acre_after_restore(T&)` is called for each when all are there and
/// nobody calls yet; if one throws, restore() fails on all ranks. Cost: 4 allreduces and an
/// alltoallv more than make_collection(), and an allgather for acre_after_restore; each rank reads
/// the states of its own members.
/// @throws acre::error on all ranks: when the file cannot be read, is no checkpoint, is damaged, or
/// has other collections. Then no object is left of it.
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
/// One, spread as is said: by a pattern, a function, or dist::cyclic and its like.
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
