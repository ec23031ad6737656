// SPDX-License-Identifier: BSD-3-Clause
// What a rank shows to the other ranks of its node, besides its segment: the
// ring for messages to it, the bodies of larger ones that it sends, a bell to
// wake it with, and a note of where it waits. It lies in shared memory, just below the segment.
#pragma once

#include <acre/fabric/smp_blocks.hpp>
#include <acre/fabric/smp_ring.hpp>
#include <acre/runtime/world.hpp>

#include <atomic>
#include <cstdint>

namespace acre::runtime {

/// Where a rank waits, for the reports of the stall watch. Written by the rank
/// when a wait gets long; a reader may see a mixture of two notes, never
/// anything unterminated.
struct wait_note {
  std::atomic<std::uint32_t> waiting;  ///< 0: not in a wait
  std::uint32_t line;
  char what[56];
  char file[192];
};

struct rank_box {
  /// Bumped to end a sleep of the rank; it sleeps on this word (futex).
  alignas(64) std::atomic<std::uint32_t> bell;
  /// Set by the rank while it sleeps, so that nobody calls the kernel for nothing.
  std::atomic<std::uint32_t> asleep;
  std::atomic<std::uint32_t> process;
  /// Blocks of this rank's private heap that others have freed: the offset of the
  /// first, each block's first word that of the next. Others add by
  /// compare-and-swap (release), the rank takes all at once (acquire), so none
  /// comes back while somebody looks at it.
  alignas(64) std::atomic<std::uint64_t> freed_by_others;
  alignas(64) wait_note note;
  alignas(128) fabric::smp_ring ring;
  /// For the bodies of what this rank sends to its neighbours.
  alignas(128) fabric::smp_blocks blocks;
};

/// The first page of the node's memory.
struct node_box {
  alignas(64) std::atomic<std::uint32_t> attached;  ///< ranks that have mapped the memory
  alignas(64) std::atomic<std::uint32_t> sleepers;  ///< ranks of the node asleep now
  /// Another host is lost. Written by the rank that has found out, before the flag (release).
  alignas(64) std::atomic<std::uint32_t> host_is_lost;
  char lost_host[500];  ///< which, and why
};

inline constexpr std::size_t node_box_bytes = 4096;
inline constexpr std::size_t rank_box_bytes = (sizeof(rank_box) + 4095) / 4096 * 4096;
static_assert(sizeof(node_box) <= node_box_bytes);

/// The box of a rank of this node.
[[nodiscard]] inline rank_box& box_of(rank_t rank) noexcept {
  return *reinterpret_cast<rank_box*>(world.bases[rank] + (std::uintptr_t{rank} << offset_bits) -
                                      rank_box_bytes);
}

/// The shared page of this node.
[[nodiscard]] inline node_box& this_node() noexcept { return *world.node; }

/// Whether a rank of this node sleeps in a wait.
[[nodiscard]] inline bool is_asleep(rank_t rank) noexcept {
  return box_of(rank).asleep.load(std::memory_order_relaxed) != 0;
}

/// Wakes a rank of this node if it sleeps. Costs one load when nobody does.
void ring_bell(rank_t rank) noexcept;

}  // namespace acre::runtime
