// SPDX-License-Identifier: BSD-3-Clause
// Adds a grid to a communication without one.
#pragma once

#include <acre/mapping/communication.hpp>

#include <chrono>

namespace acre::mapping {

/// Uses a grid of the program that explains enough traffic, else recognition.hpp. Remarks name a
/// rejected grid.
///
/// @param until end of the search
[[nodiscard]] communication with_structure(
    communication what,
    std::chrono::steady_clock::time_point until = std::chrono::steady_clock::time_point::max());

}  // namespace acre::mapping
