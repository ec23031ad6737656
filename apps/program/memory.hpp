// SPDX-License-Identifier: BSD-3-Clause
// Refuses requests that exceed a node's memory and swap space.
#pragma once

#include <string_view>

namespace acre::program {

/// @param bytes  minimum for all ranks together, equally distributed
/// @param smaller  advice: "choose fewer atoms"
/// @throws acre::error if a node's part exceeds its memory; on all ranks if nodes are alike
void require_memory(std::string_view program, double bytes, std::string_view smaller);

}  // namespace acre::program
