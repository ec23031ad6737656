// SPDX-License-Identifier: BSD-3-Clause
// A structure that was recognised in traffic: a grid of cells, and the rank in each.
#pragma once

#include <acre/mapping/traffic.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace acre::mapping {

struct recognised_structure {
  std::string name;                    ///< "a grid of 64x32x32"
  std::string remark;                  ///< " with a stencil of 27 points, 3 % of it empty"
  std::vector<std::uint32_t> extents;  ///< their product is the number of cells
  std::vector<rank_t> ranks;  ///< in each cell, the last coordinate running fastest; nobody: empty
  double explained = 0;       ///< the part of all bytes that is between neighbours
};

}  // namespace acre::mapping
