// Rows that are to be worked on, in chunks that whoever is free takes: a member's own first, then
// those of others of its node. A count in the segment of each member says which is the next; how
// long the rows have become is written beside it.
#pragma once

#include <acre/base/site.hpp>
#include <acre/global/collective_end.hpp>
#include <acre/global/team.hpp>
#include <acre/global/team_memory.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace acre::detail {

class chunk_board {
 public:
  /// Collective. Cost: 1 allgather and B.
  /// @param firsts  where this member's chunks begin among its rows, and their end
  chunk_board(const team& members, std::span<const std::size_t> firsts, const site& where);
  ~chunk_board() { end_.release(blocks_, members_); }
  chunk_board(const chunk_board&) = delete;
  chunk_board& operator=(const chunk_board&) = delete;

  /// Rows of a member, by their numbers there.
  struct chunk {
    rank_t owner;
    std::size_t first;
    std::size_t last;
  };
  /// One that nobody has taken; none when there is none left. Cost: A, in the node.
  /// @param from_others  whether a chunk of others of the node will do
  [[nodiscard]] std::optional<chunk> take(bool from_others);

  /// A word for each row of a member of this node.
  [[nodiscard]] std::span<std::uint64_t> lengths_of(rank_t owner) const;

 private:
  struct head {
    std::uint64_t next;
    std::uint64_t chunks;
    std::uint64_t rows;
  };
  [[nodiscard]] head* head_of(rank_t member) const noexcept {
    return reinterpret_cast<head*>(blocks_.direct(member));
  }
  [[nodiscard]] static std::uint64_t* firsts_of(head* of) noexcept {
    return reinterpret_cast<std::uint64_t*>(of + 1);
  }

  team members_;
  team_memory blocks_;
  collective_end end_;
  rank_t turn_ = 0;  ///< whose chunks are taken: so many members after this one
};

}  // namespace acre::detail
