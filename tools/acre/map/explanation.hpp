// SPDX-License-Identifier: BSD-3-Clause
// What a mapping gains over the default order, and where, in sentences and numbers.
#pragma once

#include "map_result.hpp"

#include <string>

namespace acre::tool {

/// The busiest links, what stays within nodes and groups, the bytes by kind of link and by the
/// links they cross: of the default order and of the chosen one.
[[nodiscard]] std::string explanation(const map_result& result);

}  // namespace acre::tool
