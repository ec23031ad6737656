// SPDX-License-Identifier: BSD-3-Clause
// Explains the gain of a mapping over the default order.
#pragma once

#include "map_result.hpp"

#include <string>

namespace acre::tool {

/// Text on busiest links, locality, bytes by kind of link and by hops.
[[nodiscard]] std::string explanation(const map_result& result);

}  // namespace acre::tool
