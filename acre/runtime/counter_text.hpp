// SPDX-License-Identifier: BSD-3-Clause
// Names and values of counters for output.
#pragma once

#include <acre/base/rank_counts.hpp>
#include <acre/runtime/counters.hpp>

#include <vector>

namespace acre::runtime {

/// @param ranks  must outlive the result
[[nodiscard]] rank_counts counts_of(const std::vector<counter_values>& ranks);

}  // namespace acre::runtime
