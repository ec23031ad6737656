// SPDX-License-Identifier: BSD-3-Clause
// The grid that the ranks of a communication stand in, where that was not said.
#pragma once

#include <acre/mapping/communication.hpp>

#include <chrono>

namespace acre::mapping {

/// Adds a missing grid: one of the program that explains enough traffic, or one by recognition.hpp.
/// Remarks name a rejected grid.
///
/// @param until end of the search
[[nodiscard]] communication with_structure(
    communication what,
    std::chrono::steady_clock::time_point until = std::chrono::steady_clock::time_point::max());

}  // namespace acre::mapping
