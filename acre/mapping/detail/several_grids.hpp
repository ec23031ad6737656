// SPDX-License-Identifier: BSD-3-Clause
// Places grids of parts with little mutual traffic (coupled models, ensembles) side by side in one
// grid, so each is mapped to nearby nodes.
#pragma once

#include <acre/mapping/recognised_structure.hpp>
#include <acre/mapping/traffic.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace acre::mapping {

class several_grids {
 public:
  /// @param pairs   symmetric; must outlive this
  /// @param part_of part of each rank; parts below eight ranks are ignored
  several_grids(const traffic& pairs, std::span<const rank_t> part_of);

  [[nodiscard]] std::size_t parts() const noexcept { return members_.size(); }
  /// True if at least two parts hold 3/4 of the ranks.
  [[nodiscard]] bool hold_most() const noexcept;
  [[nodiscard]] traffic within(std::size_t part) const;
  void set(std::size_t part, std::optional<recognised_structure> found);

  /// @return empty unless the grids of two parts hold 3/4 of the ranks
  [[nodiscard]] std::optional<recognised_structure> side_by_side() &&;

 private:
  /// Smallest grid for all parts, one after the other along the first dimension.
  [[nodiscard]] std::vector<std::uint32_t> enclosing() const;
  [[nodiscard]] std::vector<rank_t> in_cells(std::span<const std::uint32_t> extents) const;
  [[nodiscard]] std::vector<rank_t> behind_each_other() const;
  void seat_others(std::vector<rank_t>& cells) const;
  [[nodiscard]] std::string name() const;

  const traffic& pairs_;
  std::vector<std::vector<rank_t>> members_;
  std::vector<rank_t> number_;
  std::vector<recognised_structure> found_;
  double explained_ = 0;
};

}  // namespace acre::mapping
