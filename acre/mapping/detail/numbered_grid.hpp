// SPDX-License-Identifier: BSD-3-Clause
// A grid in which the ranks are numbered row by row, as MPI_Cart_create numbers them, from the
// differences of the numbers of ranks that talk. The last of the rows may not be full.
#pragma once

#include <acre/mapping/recognised_structure.hpp>
#include <acre/mapping/traffic.hpp>

#include <optional>

namespace acre::mapping {

/// O(flows) time.
/// @param pairs from both sides
[[nodiscard]] std::optional<recognised_structure> numbered_grid(const traffic& pairs);

}  // namespace acre::mapping
