// SPDX-License-Identifier: BSD-3-Clause
// Recognises all-to-all rows, columns, or both.
#pragma once

#include <acre/mapping/detail/deadline.hpp>
#include <acre/mapping/detail/neighbour_lists.hpp>
#include <acre/mapping/recognised_structure.hpp>
#include <acre/mapping/traffic.hpp>

#include <optional>

namespace acre::mapping {

/// @throws too_late
[[nodiscard]] std::optional<recognised_structure> all_to_all_parts(const traffic& pairs,
                                                                   neighbour_lists neighbours,
                                                                   deadline& end);

}  // namespace acre::mapping
