// SPDX-License-Identifier: BSD-3-Clause
// Places nodes as equal squares: tori as 2D slices, trees and dragonflies as nested groups, others
// as one field.
#pragma once

#include <acre/machines/pictures/canvas.hpp>
#include <acre/mapping/metrics.hpp>

#include <string>
#include <vector>

namespace acre::machines {

struct floor_plan {
  struct area {
    box where;
    std::string label;
  };

  /// Box of each node; zero width if not drawn.
  std::vector<box> nodes;
  /// Outer areas precede inner ones.
  std::vector<area> areas;
  double width = 0;
  double height = 0;
};

inline constexpr text_style label_style{.size = 9, .ink = grey};

/// Places all nodes, or only the job's if the network has more than 16384.
[[nodiscard]] floor_plan plan_floor(const mapping::machine& where, double width, double height);

}  // namespace acre::machines
