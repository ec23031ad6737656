// SPDX-License-Identifier: BSD-3-Clause
// Shares work within a node: ranks take chunks of their own rows, then of others'
// (docs/developers/modules/csr.md).
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
  /// Collective. Cost: 1 allgather + B.
  chunk_board(const team& members, std::span<const std::size_t> firsts, const csr_entries& room,
              const site& where);

  struct chunk {
    rank_t owner;
    std::size_t number;
    std::size_t first;
    std::size_t last;
  };
  /// Takes a free chunk, if any. Cost: A, within the node.
  /// @param from_others  also other members' chunks
  [[nodiscard]] std::optional<chunk> take(bool from_others);

  void finish(const chunk& made, std::size_t entries) const;
  /// Position of a chunk's entries; no value until all earlier chunks are finished. Calls per owner
  /// must ascend.
  [[nodiscard]] std::optional<std::size_t> begin_of(const chunk& of);

  [[nodiscard]] std::span<std::uint64_t> lengths_of(rank_t owner) const;
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
    std::ptrdiff_t columns;
    std::ptrdiff_t values;
  };
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
  /// Per chunk: 0, or number of entries + 1.
  [[nodiscard]] static std::uint64_t* made_of(head* of) noexcept {
    return firsts_of(of) + of->chunks + 1;
  }

  std::vector<known> known_;
  rank_t turn_ = 0;
};

}  // namespace acre::csr
