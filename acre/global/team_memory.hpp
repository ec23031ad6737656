// Memory of a container: a block in the segment of each member of a team.
//
// The blocks come from the private heaps, so containers may be made, moved and
// destroyed in any order without upsetting the symmetric heap. Programs that do
// the same on all ranks get the same offset on all; then one word says where
// all blocks are. Only else is there a table, of a word for each member. A team
// within one node has a table of its blocks' addresses as well.
#pragma once

#include <acre/global/team.hpp>
#include <acre/runtime/world.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace acre::detail {

class team_memory {
 public:
  team_memory() = default;

  /// What the members must have asked for alike: 100 elements.
  struct common_size {
    std::uint64_t number;
    const char* unit;
  };

  /// Allocates `bytes` on all members of the team. Collective: 1 allgather. Not initialised.
  /// @param call who asks, for the error
  /// @throws acre::error on all members when one of them has no room, or asks for another size
  team_memory(const team& members, std::size_t bytes, std::size_t alignment, const char* call,
              common_size asked);
  team_memory(const team& members, std::size_t bytes, std::size_t alignment, const char* call)
      : team_memory(members, bytes, alignment, call, {.number = bytes, .unit = "bytes"}) {}

  team_memory(team_memory&& other) noexcept { swap(other); }
  team_memory& operator=(team_memory&& other) noexcept {
    team_memory(std::move(other)).swap(*this);
    return *this;
  }

  /// Frees this member's block. The caller knows that nobody uses it any more.
  ~team_memory();

  [[nodiscard]] explicit operator bool() const noexcept { return mine_ != nullptr; }

  /// This member's own block.
  [[nodiscard]] std::byte* mine() const noexcept { return mine_; }

  /// The bits of the global pointer to the block of a member. l: one load and one branch.
  [[nodiscard]] std::uint64_t bits_of(rank_t member) const noexcept {
    return blocks_.empty() ? std::uint64_t{member} << offset_bits | offset_ : blocks_[member];
  }

  /// The block of a member where it is mapped here, else null. l: in teams of one node a load,
  /// a branch and a load.
  [[nodiscard]] std::byte* direct(rank_t member) const noexcept {
    if (std::byte* const* blocks = mapped_.get()) [[likely]] {
      std::byte* const block = blocks[member];
      if (block == nullptr) __builtin_unreachable();
      return block;
    }
    return runtime::direct_address(bits_of(member));
  }

  /// Leaves the block to the others, who may still use it, until the job ends.
  void abandon() noexcept { mine_ = nullptr; }

  void swap(team_memory& other) noexcept {
    std::swap(mine_, other.mine_);
    std::swap(offset_, other.offset_);
    std::swap(blocks_, other.blocks_);
    std::swap(mapped_, other.mapped_);
  }

 private:
  void note_mapped(rank_t members);

  std::byte* mine_ = nullptr;
  std::uint64_t offset_ = 0;           ///< of all blocks, when there is no table
  std::vector<std::uint64_t> blocks_;  ///< else: global pointers
  /// Where all members are on this node: their blocks.
  std::unique_ptr<std::byte*[]> mapped_;
};

/// How a container ends, of which others may still use this member's block.
class collective_end {
 public:
  collective_end() noexcept;

  /// Whether the others can be spoken to.
  [[nodiscard]] bool is_orderly() const noexcept;

  /// For its destructor: waits for the others, or abandons the block when they
  /// cannot be spoken to, which is when an exception passes that they know nothing
  /// of, or after the end of the job. What the wait throws is left to the next call
  /// that may throw.
  /// @tparam Memory  team_memory, or what else can be abandoned
  /// @return whether nobody else uses the block any more
  template <class Memory>
  bool release(Memory& memory, const team& members) const noexcept {
    const bool is_over = await_others(members);
    if (!is_over) memory.abandon();
    return is_over;
  }

 private:
  /// @return false when they cannot be spoken to
  [[nodiscard]] bool await_others(const team& members) const noexcept;

  int exceptions_;
};

}  // namespace acre::detail
