// SPDX-License-Identifier: BSD-3-Clause
// Parts of the ranks that hardly talk to each other, as coupled models and ensembles have them: the
// grids that are found in them, put side by side in one grid.
//
// What maps a grid then maps them together, and each part gets nodes that are near each other.
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
  /// @param pairs   from both sides; must outlive this
  /// @param part_of each rank; parts of less than eight ranks are not looked at
  several_grids(const traffic& pairs, std::span<const rank_t> part_of);

  [[nodiscard]] std::size_t parts() const noexcept { return members_.size(); }
  /// Whether there are several parts, and most ranks are in them.
  [[nodiscard]] bool hold_most() const noexcept;
  /// Of the members of a part, with numbers from 0.
  [[nodiscard]] traffic within(std::size_t part) const;
  /// What was found in it.
  void set(std::size_t part, std::optional<recognised_structure> found);

  /// @return nothing where not most ranks are in parts that something was found in
  [[nodiscard]] std::optional<recognised_structure> side_by_side() &&;

 private:
  /// A grid that the others fit beside, along their longest dimensions.
  [[nodiscard]] std::vector<std::uint32_t> enclosing() const;
  [[nodiscard]] std::vector<rank_t> in_cells(std::span<const std::uint32_t> extents) const;
  [[nodiscard]] std::vector<rank_t> behind_each_other() const;
  /// Ranks that are in no part that something was found in, where there is room.
  void seat_others(std::vector<rank_t>& cells) const;
  [[nodiscard]] std::string name() const;

  const traffic& pairs_;
  std::vector<std::vector<rank_t>> members_;  ///< the largest first
  std::vector<rank_t> number_;                ///< of each rank in its part
  std::vector<recognised_structure> found_;   ///< with the numbers of all ranks
  double explained_ = 0;                      ///< bytes
};

}  // namespace acre::mapping
