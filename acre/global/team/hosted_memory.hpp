// SPDX-License-Identifier: BSD-3-Clause
// Memory of a team that one of its members holds: a block in that member's segment.
#pragma once

#include <acre/global/team/team_block.hpp>
#include <acre/runtime/world.hpp>

#include <cstddef>
#include <cstdint>

namespace acre {

/// The member of the team in whose memory something lies: acre::hosted_by{2}.
struct hosted_by {
  rank_t member = 0;
};

/// Made by all members together, used by any of them; moves stay local. It ends with no word to
/// the others: whose memory others may still use goes through a collective_end.
class hosted_memory : public team_block {
 public:
  /// No memory: good for being assigned to.
  hosted_memory() = default;

  /// Allocates `bytes` on the host alone. Collective: 1 allgather. Not initialised.
  /// @param call who asks, for the error
  /// @throws acre::error on all members when the host has no room or is no member, or
  ///         when they ask for different hosts or sizes, or less than the least
  hosted_memory(const team& members, hosted_by host, std::size_t bytes, std::size_t alignment,
                const char* call, common_size asked, const site& where = site::current()) {
    const auto offsets = allocate(members, {.first = host.member, .number = 1}, bytes, alignment,
                                  call, asked, where);
    bits_ = std::uint64_t{members.world_rank(host.member)} << offset_bits | offsets[host.member];
  }

  /// The bits of the global pointer to the block. l.
  [[nodiscard]] std::uint64_t bits() const noexcept { return bits_; }
  /// The same, for code that asks memory of either kind for a member's block.
  [[nodiscard]] std::uint64_t bits_of(rank_t) const noexcept { return bits_; }

 private:
  std::uint64_t bits_ = 0;
};

}  // namespace acre
