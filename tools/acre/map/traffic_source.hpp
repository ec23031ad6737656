// SPDX-License-Identifier: BSD-3-Clause
// The traffic that the options specify.
#pragma once

#include "map.hpp"
#include <acre/mapping/communication.hpp>

#include <chrono>
#include <cstddef>

namespace acre::tool {

/// Rank grid and message counts are included if given or found.
/// @param have_latency whether message counts matter
/// @param slots limit on a pattern's ranks
/// @param until time limit of the grid search
/// @throws acre::error
[[nodiscard]] mapping::communication traffic_of(
    const traffic_source& source, bool have_latency, std::size_t slots,
    std::chrono::steady_clock::time_point until = std::chrono::steady_clock::time_point::max());

}  // namespace acre::tool
