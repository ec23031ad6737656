// SPDX-License-Identifier: BSD-3-Clause
// The grid that the ranks of a communication stand in, where that was not said.
#pragma once

#include <acre/mapping/communication.hpp>

#include <chrono>

namespace acre::mapping {

/// The same communication with a grid, where it had none: one of those that the program made, when
/// enough of the traffic keeps to it; or the one that is found (recognition.hpp). Its remarks say
/// which was not taken.
/// @param until what is not found by then is not looked for
[[nodiscard]] communication with_structure(
    communication what,
    std::chrono::steady_clock::time_point until = std::chrono::steady_clock::time_point::max());

}  // namespace acre::mapping
