// SPDX-License-Identifier: BSD-3-Clause
// Draws a page that compares two orders.
#pragma once

#include <acre/mapping/automatic.hpp>

#include <span>
#include <string>

namespace acre::machines {

struct pictured {
  std::string name;  ///< "packed", "blocks 4x3x2, hilbert"
  const mapping::placement& places;
  const mapping::metrics& measured;
};

/// @param path ends in .svg or .png
/// @param node_names in the allocation's order; drawn if readable
/// @throws acre::error for another ending or a failed write
void draw(const mapping::problem& given, const pictured& before, const pictured& after,
          const std::string& path, std::span<const std::string> node_names = {});

}  // namespace acre::machines
