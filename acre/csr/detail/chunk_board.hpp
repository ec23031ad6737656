// SPDX-License-Identifier: BSD-3-Clause
// Rows that are to be made, in chunks that whoever is free takes: a member's own first, then those
// of others of its node. A count in the segment of each member says which is the next. Beside it is
// written how long the rows have become, how many entries each chunk that is ready has, and where
// entries go: those of a chunk behind those of all chunks before.
#pragma once

#include <acre/base/site.hpp>
#include <acre/csr/detail/csr_storage.hpp>
#include <acre/global/team/team.hpp>
#include <acre/global/team/team_memory.hpp>
#include <acre/global/team/team_object.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace acre::csr {

class chunk_board : team_object<team_memory> {
 public:
  /// Collective. Cost: 1 allgather and B.
  /// @param firsts  where this member's chunks begin among its rows, and their end
  /// @param room    where this member's entries go
  chunk_board(const team& members, std::span<const std::size_t> firsts, const csr_entries& room,
              const site& where);

  /// Rows of a member, by their numbers there.
  struct chunk {
    rank_t owner;
    std::size_t number;
    std::size_t first;
    std::size_t last;
  };
  /// One that nobody has taken; none when there is none left. Cost: A, in the node.
  /// @param from_others  whether a chunk of others of the node will do
  [[nodiscard]] std::optional<chunk> take(bool from_others);

  /// Tells all that a chunk is made, and what comes of it.
  void finish(const chunk& made, std::size_t entries) const;
  /// Where its entries begin among its owner's; none while a chunk before is not made. A rank asks
  /// of each owner in the order of the chunks.
  [[nodiscard]] std::optional<std::size_t> begin_of(const chunk& of);

  /// A word for each row of a member of this node.
  [[nodiscard]] std::span<std::uint64_t> lengths_of(rank_t owner) const;
  /// Where all entries of a member of this node go.
  [[nodiscard]] std::byte* columns_of(rank_t owner) const {
    return memory().direct(owner) + head_of(owner)->columns;
  }
  [[nodiscard]] std::byte* values_of(rank_t owner) const {
    return memory().direct(owner) + head_of(owner)->values;
  }

 private:
  struct head {
    std::uint64_t next;
    std::uint64_t chunks;
    std::uint64_t rows;
    std::ptrdiff_t columns;  ///< so far behind this
    std::ptrdiff_t values;
  };
  /// Chunks that are known to be made, and their entries.
  struct known {
    std::size_t chunks = 0;
    std::size_t entries = 0;
  };
  [[nodiscard]] head* head_of(rank_t member) const noexcept {
    return reinterpret_cast<head*>(memory().direct(member));
  }
  [[nodiscard]] static std::uint64_t* firsts_of(head* of) noexcept {
    return reinterpret_cast<std::uint64_t*>(of + 1);
  }
  /// A word for each chunk: 0, or how many entries it has and 1.
  [[nodiscard]] static std::uint64_t* made_of(head* of) noexcept {
    return firsts_of(of) + of->chunks + 1;
  }

  std::vector<known> known_;  ///< of each member
  rank_t turn_ = 0;           ///< whose chunks are taken: so many members after this one
};

}  // namespace acre::csr
