// SPDX-License-Identifier: BSD-3-Clause
// Fuzzed reader of checkpoints. sealed() corrects the checksums: else they would refuse most
// mutations early.
#pragma once

#include <acre/agas/checkpoint.hpp>
#include <acre/agas/detail/checkpoint_format.hpp>
#include <acre/base/bits.hpp>
#include <acre/base/error.hpp>
#include <acre/global/team/detail/record_file_format.hpp>
#include <acre/global/team/record_file.hpp>
#include <acre/global/team/team.hpp>
#include <acre/global/wire/serialization.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace acre::fuzz {

struct cell {
  std::int64_t number = 0;
  std::vector<std::int64_t> values;
  std::string text;
  object_id<cell> next;
  std::array<object_id<cell>, 2> pair;
  std::map<std::string, gid> named;
  collection_id<cell> all;
  std::vector<object_ref<cell>> held;

  [[nodiscard]] std::size_t size() const { return values.size() + text.size() + held.size(); }
  friend auto acre_fields(cell& c) {
    return std::tie(c.number, c.values, c.text, c.next, c.pair, c.named, c.all, c.held);
  }
};
using cells = object_collection<cell>;

inline void tie_up(cell& mine, const collection_id<cell>& all, std::size_t number,
                   const std::vector<object_ref<cell>>& held) {
  mine = {.number = static_cast<std::int64_t>(number),
          .values = std::vector<std::int64_t>(number, 7),
          .text = std::string(5, 'q'),
          .next = all[(number + 1) % all.size()],
          .pair = {all[number], all[0]},
          .named = {{"a", all[0].name()}},
          .all = all,
          .held = held};
}

inline void read_checkpoint(const std::string& path) {
  const auto all = restore<cells>(path);
  all.for_each_local([](std::size_t, cell& each) {
    const auto call = [](const auto& called) {
      try {
        static_cast<void>(invoke(called, &cell::size).get());
      } catch (const error&) {
      }
    };
    call(each.next);
    for (const object_id<cell>& one : each.pair) call(one);
    for (const auto& [text, name] : each.named) {
      try {
        call(object_id<cell>(name));
      } catch (const error&) {
      }
    }
    for (const object_ref<cell>& held : each.held) call(held);
  });
  barrier();
}

/// Corrects sizes and checksums if possible.
inline std::string sealed(std::string file) {
  using namespace agas::checkpoint_format;
  const auto bytes = [&] { return std::as_writable_bytes(std::span(file)); };
  global::record_file_begin begin;
  if (file.size() < sizeof begin) return file;
  std::memcpy(&begin, file.data(), sizeof begin);
  begin.bytes = file.size();
  begin.description = std::min<std::uint64_t>(begin.description, file.size() - sizeof begin);
  const auto description = bytes().subspan(sizeof begin, begin.description);
  begin.check = global::check_of(begin, description);
  std::memcpy(file.data(), &begin, sizeof begin);
  std::vector<agas::checkpoint_reader::part_description> parts;
  try {
    reader(description).read_into(parts);
  } catch (const error&) {
    return file;
  }
  for (std::size_t part = 0; part < parts.size(); ++part) {
    std::size_t members = 1;
    for (const std::size_t extent : parts[part].extents) {
      members = std::min<std::size_t>(extent, 8) * members;
    }
    for (std::size_t number = 0; number < std::min<std::size_t>(members, 8); ++number) {
      const std::uint64_t at = parts[part].index + number * sizeof(index_entry);
      if (at > file.size() || file.size() - at < sizeof(index_entry)) break;
      index_entry entry;
      std::memcpy(&entry, file.data() + at, sizeof entry);
      if (entry.offset > file.size() || entry.bytes > file.size() - entry.offset) continue;
      entry.check =
          global::check_of_record(part, number, entry, bytes().subspan(entry.offset, entry.bytes));
      std::memcpy(file.data() + at, &entry, sizeof entry);
    }
  }
  return file;
}

}  // namespace acre::fuzz
