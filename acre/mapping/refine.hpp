// SPDX-License-Identifier: BSD-3-Clause
// Improves a mapping by exchanges of ranks. The energy, the sum over links of (load / initial
// largest load)^8, falls as busy links are relieved.
#pragma once

#include <acre/mapping/effort.hpp>
#include <acre/mapping/structured.hpp>

namespace acre::mapping {

/// Steepest descent: exchanges ranks of the busiest links, also with free slots. Never worsens
/// `start` by metrics::better_than.
[[nodiscard]] placement descend(const problem& given, placement start, const effort& effort);

/// Simulated annealing, then descend() (Kirkpatrick, Gelatt, Vecchi: Optimization by simulated
/// annealing, 1983). Never worsens `start`.
[[nodiscard]] placement anneal(const problem& given, placement start, const effort& effort);

}  // namespace acre::mapping
