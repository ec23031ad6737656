// SPDX-License-Identifier: BSD-3-Clause
// Finds the steps between grid cells over which ranks communicate.
#pragma once

#include <acre/mapping/traffic.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace acre::mapping {

[[nodiscard]] std::vector<std::uint32_t> cells_of(std::span<const rank_t> ranks, rank_t count);

class stencil {
 public:
  /// All unit steps, and wider ones, of at most two cells per dimension, that at least 3/4 of the
  /// ranks with an occupied target use.
  ///
  /// @param ranks rank of each cell, or `invalid_rank`
  stencil(const traffic& pairs, std::span<const std::uint32_t> extents,
          std::span<const rank_t> ranks);

  [[nodiscard]] std::size_t wider() const noexcept { return wider_.size(); }
  [[nodiscard]] std::size_t points() const noexcept;

  [[nodiscard]] double part_of_bytes(const traffic& pairs) const;

 private:
  struct step {
    std::uint64_t number;  ///< base-5 digits: offset + 2 per dimension
    unsigned length;
  };
  /// Shortest step; empty if above two cells in a dimension.
  [[nodiscard]] std::optional<step> between(std::uint32_t from, std::uint32_t to) const;
  [[nodiscard]] bool leads_to_somebody(std::uint32_t from, std::uint64_t number) const;
  [[nodiscard]] bool is_of_stencil(const std::optional<step>& some) const;
  [[nodiscard]] bool is_of_long_dimensions(std::uint64_t number) const;
  void find_joined(const traffic& pairs, rank_t stride);
  void find_wider(const traffic& pairs, rank_t stride);

  std::vector<std::uint32_t> extents_;
  std::span<const rank_t> ranks_;
  std::vector<std::uint32_t> cells_;
  std::vector<bool> is_joined_;
  std::vector<std::uint64_t> wider_;
};

}  // namespace acre::mapping
