// SPDX-License-Identifier: BSD-3-Clause
// Grid of ranks recognised in their traffic.
#pragma once

#include <acre/mapping/traffic.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace acre::mapping {

struct recognised_structure {
  std::string name;
  std::string remark;  ///< appended to the name: " with a stencil of 27 points"
  std::vector<std::uint32_t> extents;
  std::vector<rank_t> ranks;  ///< rank of each cell, last coordinate fastest; `invalid_rank`: empty
  double explained = 0;       ///< fraction of bytes between grid neighbours
};

}  // namespace acre::mapping
