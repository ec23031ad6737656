// SPDX-License-Identifier: BSD-3-Clause
// Where each node of a machine lies on a page: tori as slices of two dimensions,
// trees and dragonflies as groups in groups, other networks as one field of nodes.
//
// Nodes are squares of one size. The plan fits a box; lengths are those of the box.
#pragma once

#include <acre/machines/pictures/canvas.hpp>
#include <acre/mapping/metrics.hpp>

#include <string>
#include <vector>

namespace acre::machines {

struct floor_plan {
  struct area {
    box where;
    std::string label;  ///< "z = 3", "group 5"; empty where there is no room for one
  };

  /// By node. Those that are not drawn have no width.
  std::vector<box> nodes;
  /// The larger ones first: those that lie in them follow.
  std::vector<area> areas;
  double width = 0;
  double height = 0;
};

/// What labels are written in.
inline constexpr text_style label_style{.size = 9, .ink = grey};

/// Of machines beyond 16384 nodes only the job's are drawn.
/// @param width, height the most that the plan may take
[[nodiscard]] floor_plan plan_floor(const mapping::machine& where, double width, double height);

}  // namespace acre::machines
