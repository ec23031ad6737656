// SPDX-License-Identifier: BSD-3-Clause
// The result of `acre map` as JSON: for programs that want all of it.
#pragma once

#include "map_result.hpp"

#include <string>

namespace acre::tool {

/// {"problem": …, "mapping": …, "slot_of_rank": …, "rank_of_slot": …, "node_of_rank": …,
/// "metrics": …, "default": …, "tried": …}; free slots have rank -1. Seconds and bytes are those of
/// one round of the communication.
[[nodiscard]] std::string as_json(const map_result& result);

}  // namespace acre::tool
