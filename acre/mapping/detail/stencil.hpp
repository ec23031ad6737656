// SPDX-License-Identifier: BSD-3-Clause
// Which steps of a grid its ranks talk over: one in one dimension, diagonals, two in one dimension.
#pragma once

#include <acre/mapping/traffic.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace acre::mapping {

/// The cell of each of so many ranks, from the rank, or nobody, in each cell.
[[nodiscard]] std::vector<std::uint32_t> cells_of(std::span<const rank_t> ranks, rank_t count);

class stencil {
 public:
  /// The steps in one dimension, and those of at most two cells in any that most ranks talk over
  /// which have somebody there.
  /// @param extents of the grid
  /// @param ranks   of its cells, nobody in those that are empty
  stencil(const traffic& pairs, std::span<const std::uint32_t> extents,
          std::span<const rank_t> ranks);

  /// How many other steps than those in one dimension, of one cell, there are.
  [[nodiscard]] std::size_t wider() const noexcept { return wider_.size(); }
  /// All, with the one in the middle.
  [[nodiscard]] std::size_t points() const noexcept;

  /// The part of all bytes that go over such steps.
  [[nodiscard]] double part_of_bytes(const traffic& pairs) const;

 private:
  struct step {
    std::uint64_t number;  ///< two and what it adds to each coordinate, as digits of base five
    unsigned length;       ///< the cells that it goes by, in all dimensions together
  };
  /// The shorter way where borders are joined; nothing for one of more than two cells in any
  /// dimension.
  [[nodiscard]] std::optional<step> between(std::uint32_t from, std::uint32_t to) const;
  /// Whether there is somebody in the cell that a step leads to.
  [[nodiscard]] bool leads_to_somebody(std::uint32_t from, std::uint64_t number) const;
  [[nodiscard]] bool is_of_stencil(const std::optional<step>& some) const;
  [[nodiscard]] bool is_of_long_dimensions(std::uint64_t number) const;
  void find_joined(const traffic& pairs, rank_t stride);
  void find_wider(const traffic& pairs, rank_t stride);

  std::vector<std::uint32_t> extents_;
  std::span<const rank_t> ranks_;
  std::vector<std::uint32_t> cells_;
  std::vector<bool> is_joined_;  ///< dimensions in which ranks talk around the border
  std::vector<std::uint64_t> wider_;
};

}  // namespace acre::mapping
