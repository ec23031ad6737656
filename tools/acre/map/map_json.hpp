// SPDX-License-Identifier: BSD-3-Clause
// The result of `acre map` as JSON.
#pragma once

#include "map_result.hpp"

#include <string>

namespace acre::tool {

/// Keys: problem, mapping, slot_of_rank, rank_of_slot (-1: free), node_of_rank, metrics (per
/// round), default, tried.
[[nodiscard]] std::string as_json(const map_result& result);

}  // namespace acre::tool
