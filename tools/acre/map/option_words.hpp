// SPDX-License-Identifier: BSD-3-Clause
// Parses option values of `acre map`.
#pragma once

#include "map.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace acre::tool {

/// @param text "job", list or file
[[nodiscard]] job_nodes nodes_from(const std::string& text);

/// @param text "2x4x8", "here", or lstopo file
/// @throws acre::error
[[nodiscard]] node_places places_from(const std::string& text);

/// @param text "64x32x32"
/// @throws acre::error
[[nodiscard]] std::vector<std::uint32_t> grid_from(const std::string& text);

/// @param text "blocks-hilbert-refined", "Blocks, Hilbert"
[[nodiscard]] order_of_algorithm algorithm_from(const std::string& text);

/// @param text "time", "hop-bytes", "1:10:100" (level costs)
/// @throws acre::error
[[nodiscard]] goal goal_from(const std::string& text);

}  // namespace acre::tool
