// SPDX-License-Identifier: BSD-3-Clause
// Reads an order of ranks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace acre::tool {

using slot_t = std::uint32_t;

struct bad_order {
  std::string problem;
  std::string advice;
};

/// Slot (old rank) of each new rank. The file is text (a slot per line, # comments) or
/// JSON: an array, or "slot_of_rank" of an object, as written by acre map.
/// @param ranks expected number; 0: any
/// @return a permutation of 0 … size-1
/// @throws bad_order
[[nodiscard]] std::vector<slot_t> read_order(const std::string& file, std::size_t ranks);

}  // namespace acre::tool
