// SPDX-License-Identifier: BSD-3-Clause
// Memory of a team: a block of equal size in the segment of each member.
//
//     acre::team_memory blocks(members, bytes, alignof(T), "my_container");
//     new (blocks.mine()) T;                     // this member's, plain memory
//     blocks.bits_of(member);                    // where anybody's is, for put, get and messages
//
// Programs that do the same on all ranks get the same offset on all; then one word
// says where all blocks are. Only else is there a table, of a word for each member.
// A team within one node has a table of its blocks' addresses as well.
#pragma once

#include <acre/global/team/team_block.hpp>
#include <acre/runtime/world.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace acre {

/// Made by all members together, used by any of them; moves stay local. It ends with no word to
/// the others: whose memory others may still use goes through a collective_end.
class team_memory : public team_block {
 public:
  using team_block::owner;

  /// No memory: good for being assigned to.
  team_memory() = default;

  /// Allocates `bytes` on all members of the team. Collective: 1 allgather. Not initialised.
  /// @param call who asks, for the error
  /// @throws acre::error on all members when one of them has no room, or asks for another size
  team_memory(const team& members, std::size_t bytes, std::size_t alignment, const char* call,
              common_size asked, const site& where = site::current());
  team_memory(const team& members, std::size_t bytes, std::size_t alignment, const char* call,
              const site& where = site::current())
      : team_memory(members, bytes, alignment, call, {.number = bytes, .unit = "bytes"}, where) {}

  /// Blocks that the members have already, of any sizes. Local.
  /// @param offsets  of all members' blocks in their segments
  /// @param whose    the user's stay when this ends; the team's are of the private heap, and freed
  team_memory(const team& members, const std::vector<std::uint64_t>& offsets, std::byte* mine,
              owner whose);

  [[nodiscard]] explicit operator bool() const noexcept { return mine() != nullptr; }

  /// The bits of the global pointer to the block of a member. l: one load and one branch.
  [[nodiscard]] std::uint64_t bits_of(rank_t member) const noexcept {
    return blocks_.empty() ? std::uint64_t{member} << offset_bits | offset_ : blocks_[member];
  }

  /// The block of a member where it is mapped here, else null. l: in teams of one node a load,
  /// a branch and a load.
  [[nodiscard, gnu::always_inline]] std::byte* direct(rank_t member) const noexcept {
    if (std::byte* const* blocks = mapped_.data()) [[likely]] {
      std::byte* const block = blocks[member];
      if (block == nullptr) __builtin_unreachable();
      return block;
    }
    return runtime::direct_address(bits_of(member));
  }

 private:
  void note(const team& members, const std::vector<std::uint64_t>& offsets);
  void note_mapped(rank_t members);

  std::uint64_t offset_ = 0;           ///< of all blocks, when there is no table
  std::vector<std::uint64_t> blocks_;  ///< else: global pointers
  /// Where all members are on this node: their blocks.
  std::vector<std::byte*> mapped_;
};

}  // namespace acre
