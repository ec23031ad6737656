// SPDX-License-Identifier: BSD-3-Clause
// Team memory in one member's segment.
#pragma once

#include <acre/global/team/team_block.hpp>
#include <acre/runtime/world.hpp>

#include <cstddef>
#include <cstdint>

namespace acre {

/// Member that hosts an object: acre::hosted_by{2}.
struct hosted_by {
  rank_t member = 0;
};

/// Moves and destruction are local: use collective_end if others may still access it.
class hosted_memory : public team_block {
 public:
  /// Makes an object without memory.
  hosted_memory() = default;

  /// Allocates `bytes`, uninitialised, on the host. Collective: 1 allgather.
  /// @throws acre::error on all members if the host has no memory or is no member, or requests
  /// differ
  hosted_memory(const team& members, hosted_by host, std::size_t bytes, std::size_t alignment,
                const char* call, common_size asked, const site& where = site::current()) {
    const auto offsets = allocate(members, {.first = host.member, .number = 1}, bytes, alignment,
                                  call, asked, where);
    bits_ = std::uint64_t{members.world_rank(host.member)} << offset_bits | offsets[host.member];
  }

  /// Global pointer bits of the block. l.
  [[nodiscard]] std::uint64_t bits() const noexcept { return bits_; }
  /// As bits().
  [[nodiscard]] std::uint64_t bits_of(rank_t) const noexcept { return bits_; }

 private:
  std::uint64_t bits_ = 0;
};

}  // namespace acre
