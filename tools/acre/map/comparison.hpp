// SPDX-License-Identifier: BSD-3-Clause
// All mappings that were tried, side by side.
#pragma once

#include <acre/mapping/automatic.hpp>

#include <span>
#include <string>

namespace acre::tool {

/// Ratio of exchange times; 1 if no link is used.
[[nodiscard]] double speed_up(const mapping::metrics& before, const mapping::metrics& after);

/// Table of all mappings, best first, with the default order marked.
[[nodiscard]] std::string comparison(std::span<const mapping::candidate> found);

}  // namespace acre::tool
