// SPDX-License-Identifier: BSD-3-Clause
// The traffic of a job as its options name it: a pattern, or files and a grid.
#pragma once

#include "map.hpp"
#include <acre/mapping/communication.hpp>

#include <chrono>
#include <cstddef>

namespace acre::tool {

/// The traffic, with the grid of its ranks and the numbers of messages, as far as they are given or
/// found.
/// @param have_latency whether links have a latency, so that the numbers of messages count
/// @param slots of the job: a pattern of more ranks is not begun
/// @param until a grid that is not found by then is not looked for
/// @throws acre::error when a word or a file is wrong
[[nodiscard]] mapping::communication traffic_of(
    const traffic_source& source, bool have_latency, std::size_t slots,
    std::chrono::steady_clock::time_point until = std::chrono::steady_clock::time_point::max());

}  // namespace acre::tool
