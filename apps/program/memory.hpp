// SPDX-License-Identifier: BSD-3-Clause
// Whether what a program is asked for has room at all: better an answer at the start than a job
// that the system kills.
#pragma once

#include <string_view>

namespace acre::program {

/// @param bytes    what all ranks together take at the least
/// @param smaller  what to do where there are not as many: "take fewer atoms"
/// @throws acre::error where this node's ranks take more than it has: on all ranks where nodes are
///         alike
void require_memory(std::string_view program, double bytes, std::string_view smaller);

}  // namespace acre::program
