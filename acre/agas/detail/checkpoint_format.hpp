// SPDX-License-Identifier: BSD-3-Clause
// Checkpoint file format:
// - 64-byte header, description of the collections
// - per collection an index of its members' records
// - records, 8-byte aligned, zero-padded: links (offset of a name, its member), state
//
// Checksums: header with description; each record with its index entry. A rank can verify the
// members it reads.
#pragma once

#include <acre/base/bits.hpp>
#include <acre/base/checksum.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace acre::agas::checkpoint_format {

inline constexpr std::array<char, 8> file_magic{'\x89', 'A', 'C', 'R', 'E', 'O', 'B', 'J'};
inline constexpr std::uint32_t file_format = 1;
inline constexpr std::uint32_t our_order = 0x01020304;

struct file_begin {
  std::array<char, 8> magic{};
  std::uint32_t byte_order = 0;
  std::uint32_t format = 0;
  std::uint64_t bytes = 0;
  std::uint64_t description = 0;
  std::uint64_t check = 0;
  std::array<std::uint64_t, 3> unused{};
};
static_assert(sizeof(file_begin) == 64);

/// Entry of a member in the index. Offset and bytes are 0 if it was destroyed.
struct index_entry {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::uint64_t check = 0;
};

enum class link_kind : std::uint32_t { id, reference, collection };

struct link {
  std::uint64_t offset = 0;
  std::uint64_t number = 0;
  std::uint32_t part = 0;
  link_kind kind = link_kind::id;
};

[[nodiscard]] inline std::uint64_t check_of(file_begin begin,
                                            std::span<const std::byte> description) {
  begin.check = 0;
  base::checksum sum;
  sum.add_object(begin);
  sum.add(description);
  return sum.sum();
}
[[nodiscard]] inline std::uint64_t check_of(std::size_t part, std::size_t number,
                                            const index_entry& entry,
                                            std::span<const std::byte> content) {
  const std::array<std::uint64_t, 4> who{part, number, entry.offset, entry.bytes};
  base::checksum sum;
  sum.add_object(who);
  sum.add(content);
  return sum.sum();
}

}  // namespace acre::agas::checkpoint_format
