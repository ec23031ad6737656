// SPDX-License-Identifier: BSD-3-Clause
// Checkpoints of collections as files of records (global/team/record_file.hpp): an index for each
// collection; a member's record contains links (offset of a name, its member) and state.
#pragma once

#include <acre/global/team/record_file.hpp>

#include <cstdint>

namespace acre::agas::checkpoint_format {

inline constexpr global::record_file_kind file_kind{
    .magic = {'\x89', 'A', 'C', 'R', 'E', 'O', 'B', 'J'}, .format = 1};

/// A member. Offset and bytes are 0 if it was destroyed.
using index_entry = global::record_entry;

enum class link_kind : std::uint32_t { id, reference, collection };

struct link {
  std::uint64_t offset = 0;
  std::uint64_t number = 0;
  std::uint32_t part = 0;
  link_kind kind = link_kind::id;
};

}  // namespace acre::agas::checkpoint_format
