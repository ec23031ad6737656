// SPDX-License-Identifier: BSD-3-Clause
// State of a rank shared with its node.
#pragma once

#include <acre/base/bits.hpp>
#include <acre/base/page_bytes.hpp>
#include <acre/fabric/smp_blocks.hpp>
#include <acre/fabric/smp_ring.hpp>
#include <acre/runtime/world.hpp>

#include <atomic>
#include <cstdint>

namespace acre::runtime {

/// Record of a wait, for the node's other ranks, which may read a terminated mixture of two.
struct wait_note {
  std::atomic<std::uint32_t> waiting;
  std::uint32_t line;
  char what[56];
  char file[192];
};

struct rank_box {
  /// Wake-up word (futex).
  alignas(64) std::atomic<std::uint32_t> bell;
  std::atomic<std::uint32_t> asleep;
  std::atomic<std::uint32_t> process;
  /// Core of its latest waker.
  std::atomic<std::uint32_t> rung_on;
  /// Blocks freed by others: offset of the first; each block's first word is the next offset.
  /// Others push by compare-and-swap (release); the rank takes all (acquire), which avoids ABA.
  alignas(64) std::atomic<std::uint64_t> freed_by_others;
  alignas(64) wait_note note;
  alignas(128) fabric::smp_ring ring;
  alignas(128) fabric::smp_blocks blocks;
};

struct node_box {
  alignas(64) std::atomic<std::uint32_t> attached;
  alignas(64) std::atomic<std::uint32_t> sleepers;
  /// Nonzero if a host is lost. Stored with release, after lost_host.
  alignas(64) std::atomic<std::uint32_t> host_is_lost;
  char lost_host[500];
};

inline constexpr std::size_t node_box_bytes = base::largest_page_bytes;
inline constexpr std::size_t rank_box_bytes = round_up(sizeof(rank_box), base::largest_page_bytes);
static_assert(sizeof(node_box) <= node_box_bytes);

[[nodiscard]] inline rank_box& box_of(rank_t rank) noexcept {
  return *reinterpret_cast<rank_box*>(world.bases[rank] + (std::uintptr_t{rank} << offset_bits) -
                                      rank_box_bytes);
}

[[nodiscard]] inline node_box& this_node() noexcept { return *world.node; }

[[nodiscard]] inline bool is_asleep(rank_t rank) noexcept {
  return box_of(rank).asleep.load(std::memory_order_relaxed) != 0;
}

/// Wakes a sleeping rank. Costs one load if no rank sleeps.
void ring_bell(rank_t rank) noexcept;

}  // namespace acre::runtime
