// SPDX-License-Identifier: BSD-3-Clause
// What a mapping gains over the default order, and where, in sentences and numbers.
#pragma once

#include "map_result.hpp"

#include <string>

namespace acre::tool {

/// Gain over the default order: busiest links, locality, bytes by kind of link and hops.
[[nodiscard]] std::string explanation(const map_result& result);

}  // namespace acre::tool
