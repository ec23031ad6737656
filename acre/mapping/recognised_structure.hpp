// SPDX-License-Identifier: BSD-3-Clause
// Grid of ranks recognised in traffic.
#pragma once

#include <acre/mapping/traffic.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace acre::mapping {

struct recognised_structure {
  std::string name;
  std::string remark;  ///< " with a stencil of 27 points, 3 % of it empty"
  std::vector<std::uint32_t> extents;
  std::vector<rank_t> ranks;  ///< per cell, last coordinate fastest; `nobody`: empty
  double explained = 0;       ///< fraction of bytes between neighbours
};

}  // namespace acre::mapping
