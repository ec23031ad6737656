// SPDX-License-Identifier: BSD-3-Clause
// Recognises a row-major grid, possibly with a partial last row, by rank differences.
#pragma once

#include <acre/mapping/recognised_structure.hpp>
#include <acre/mapping/traffic.hpp>

#include <optional>

namespace acre::mapping {

/// O(flows) time.
[[nodiscard]] std::optional<recognised_structure> numbered_grid(const traffic& pairs);

}  // namespace acre::mapping
