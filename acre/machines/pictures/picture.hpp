// SPDX-License-Identifier: BSD-3-Clause
// A page that shows what a mapping gains: the default order on the left, the
// chosen one on the right.
//
// Three parts: the ranks on the machine, coloured by their place in the grid of
// ranks; the load of the links, on one scale; the bytes by the links they cross.
// A torus of two or three dimensions shows each link where it is, other networks
// the links of each kind, the busiest first.
#pragma once

#include <acre/mapping/automatic.hpp>

#include <span>
#include <string>

namespace acre::machines {

/// One of the two that are compared.
struct pictured {
  std::string name;  ///< "packed", "blocks 4x3x2, hilbert"
  const mapping::placement& places;
  const mapping::metrics& measured;
};

/// @param path ends in .svg or .png
/// @param node_names of the job's nodes, in the order of its list; drawn where all of them can be
///                   read. None: the nodes have none
/// @throws acre::error when it ends in something else, or cannot be written
void draw(const mapping::problem& given, const pictured& before, const pictured& after,
          const std::string& path, std::span<const std::string> node_names = {});

}  // namespace acre::machines
