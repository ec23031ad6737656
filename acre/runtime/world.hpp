// SPDX-License-Identifier: BSD-3-Clause
// What every call of a rank needs to know of its job, in one cache line: who I
// am, and where the segments that I can touch are.
#pragma once

#include <acre/base/cplusplus.hpp>
#include <acre/fabric/forward.hpp>

#include <cstddef>
#include <cstdint>

namespace acre {

using fabric::rank_t;

/// Bits of a global pointer: the rank above, the offset in its segment below.
inline constexpr unsigned offset_bits = 44;
inline constexpr std::uint64_t offset_mask = (std::uint64_t{1} << offset_bits) - 1;
inline constexpr rank_t max_ranks = rank_t{1} << 20;

}  // namespace acre

namespace acre::runtime {

struct node_box;

/// For each rank what to add to a symmetric address of mine: the sum is the rank's object here,
/// or, with a carry, its offset in the window of a rank of another node. For numbers that are
/// no rank's see rank_table.hpp.
class window_table {
 public:
  /// How many zeros it begins with, and how far before the entries of ranks: further than what
  /// programs take for ranks by mistake.
  static constexpr std::size_t header_words = fabric::spare_zeros / sizeof(std::uintptr_t);
  static constexpr std::size_t words_before_ranks = 512;

  /// @param entries  what is to be added, after the words before them
  [[nodiscard]] static const window_table* of(const std::uintptr_t* entries) noexcept {
    return reinterpret_cast<const window_table*>(entries - words_before_ranks);
  }
  [[nodiscard, gnu::always_inline]] const std::uintptr_t* entries() const noexcept {
    return reinterpret_cast<const std::uintptr_t*>(this) + words_before_ranks;
  }
  [[nodiscard, gnu::always_inline]] std::uintptr_t operator[](std::int64_t rank) const noexcept {
    return entries()[rank];
  }
  /// The zeros that a direct_line takes for the spare of a put. Whoever has looked into the table
  /// has this pointer in a register.
  [[nodiscard]] const void* spare() const noexcept { return this; }
};

struct world_view {
  /// For each rank: the address of its segment here minus (rank << offset_bits),
  /// so that adding a global pointer's bits gives the address of what it points
  /// to; 0 where the rank's memory is on another node. (The sum wraps. It is
  /// never 0 for a mapped segment: no segment is mapped at rank << 44.)
  const std::uintptr_t* bases = nullptr;
  fabric::conduit* conduit = nullptr;  ///< nothing in a job of one node
  rank_t rank = 0;
  rank_t size = 0;  ///< 0 outside a job
  std::byte* segment = nullptr;
  std::size_t segment_bytes = 0;
  node_box* node = nullptr;  ///< the page that the ranks of this node share
  /// Where static data is shared (static_data.hpp): the first page of mine, and the way to others.
  std::byte* window = nullptr;
  const window_table* windows = nullptr;
};

/// Written by the job when it starts and ends, read by everyone.
extern constinit world_view world;

/// The address of (rank, offset) given as the bits of a global pointer, or
/// null when it is on another node. One load and one branch of the caller's.
[[nodiscard]] inline std::byte* direct_address(std::uint64_t pointer_bits) noexcept {
  const std::uintptr_t base = world.bases[pointer_bits >> offset_bits];
  if (base == 0) [[unlikely]] {
    return nullptr;
  }
  auto* address = reinterpret_cast<std::byte*>(base + pointer_bits);
  // Spares the caller's test of the result a second branch.
  if (address == nullptr) __builtin_unreachable();
  return address;
}

/// Where the nodes are: ranks of one node map each other's segments.
[[nodiscard]] std::uint32_t node_of(rank_t rank) noexcept;
[[nodiscard]] std::uint32_t node_count() noexcept;
/// The number of ranks on this rank's node.
[[nodiscard]] std::uint32_t node_size() noexcept;
/// Whether this host has more ranks than CPUs that they may use: spinning then is no use.
[[nodiscard]] bool crowded() noexcept;
/// How many CPUs there are for each rank of this host; 0 when it is crowded().
[[nodiscard]] std::size_t cpus_a_rank() noexcept;

}  // namespace acre::runtime

namespace acre {

/// This rank's number in the job, 0 … size()-1.
[[nodiscard]] inline rank_t rank() noexcept { return runtime::world.rank; }

/// The number of ranks in the job; 0 outside a job.
[[nodiscard]] inline rank_t size() noexcept { return runtime::world.size; }

}  // namespace acre
