// SPDX-License-Identifier: BSD-3-Clause
// A new order of ranks, read from a file: which slot (old rank) each new rank gets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace acre::tool {

using slot_t = std::uint32_t;

/// Why a file is no order, and what to do about it.
struct bad_order {
  std::string problem;  ///< names the file, and the line where there is one
  std::string advice;
};

/// Reads text (the slot of new rank i in line i; what follows a # is a comment), or JSON: the array
/// of slots, or an object that has it as its "slot_of_rank", as acre map writes it.
/// @param ranks how many there must be; 0: any number
/// @return the slot of each new rank, a permutation of 0 … size-1
/// @throws bad_order
[[nodiscard]] std::vector<slot_t> read_order(const std::string& file, std::size_t ranks);

}  // namespace acre::tool
