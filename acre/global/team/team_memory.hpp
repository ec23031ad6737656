// SPDX-License-Identifier: BSD-3-Clause
// An equal block of memory in each member's segment. In the world one word locates all blocks;
// otherwise a table has a word per member. Teams within one node also have local addresses.
#pragma once

#include <acre/global/team/team_block.hpp>
#include <acre/runtime/world.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace acre {

/// Moves and destruction are local: use collective_end if others may still access it.
class team_memory : public team_block {
 public:
  using team_block::owner;

  /// Makes an object without memory.
  team_memory() = default;

  /// Allocates `bytes`, uninitialised, on each member. Collective: 1 allgather.
  /// @throws acre::error on all members if one has no memory or sizes differ
  team_memory(const team& members, std::size_t bytes, std::size_t alignment, const char* call,
              common_size asked, const site& where = site::current());
  team_memory(const team& members, std::size_t bytes, std::size_t alignment, const char* call,
              const site& where = site::current())
      : team_memory(members, bytes, alignment, call, {.number = bytes, .unit = "bytes"}, where) {}

  /// Adopts existing blocks of any sizes. Local.
  /// @param whose  owner::team: private-heap blocks, freed at destruction
  team_memory(const team& members, const std::vector<std::uint64_t>& offsets, std::byte* mine,
              owner whose);

  [[nodiscard]] explicit operator bool() const noexcept { return mine() != nullptr; }

  /// Global pointer bits of a member's block. l: one load, one branch.
  [[nodiscard]] std::uint64_t bits_of(rank_t member) const noexcept {
    return blocks_.empty() ? std::uint64_t{member} << offset_bits | offset_ : blocks_[member];
  }

  /// Local address of a member's block; null if not mapped here. l.
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

  std::uint64_t offset_ = 0;
  std::vector<std::uint64_t> blocks_;
  /// Empty unless all members are on this node.
  std::vector<std::byte*> mapped_;
};

}  // namespace acre
