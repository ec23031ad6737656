// SPDX-License-Identifier: BSD-3-Clause
// Adds a rank grid to a communication without one.
#pragma once

#include <acre/mapping/communication.hpp>

#include <chrono>

namespace acre::mapping {

/// Uses a grid of the program if it explains 90 % of the traffic, or half of it and no less than a
/// recognised grid (recognition.hpp); else the latter. `remarks` has the reasons.
///
/// @param until end of the search
[[nodiscard]] communication with_structure(
    communication what,
    std::chrono::steady_clock::time_point until = std::chrono::steady_clock::time_point::max());

}  // namespace acre::mapping
