// SPDX-License-Identifier: BSD-3-Clause
// Table of the mappings that a search tried.
#pragma once

#include <acre/mapping/automatic.hpp>

#include <span>
#include <string>

namespace acre::tool {

/// Ratio of exchange times; 1 if no link is used.
[[nodiscard]] double speed_up(const mapping::metrics& before, const mapping::metrics& after);

/// Best first, with the default order marked.
[[nodiscard]] std::string comparison(std::span<const mapping::candidate> found);

}  // namespace acre::tool
