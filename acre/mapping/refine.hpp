// SPDX-License-Identifier: BSD-3-Clause
// Making a mapping better by exchanging ranks.
//
// The energy of a mapping is the sum over all links of (load / bar)^8, `bar` being
// the largest load at the beginning: it falls when the busiest links get less, and
// still tells mappings of equal largest load apart. An exchange touches only the
// routes of two ranks, so its change of energy costs a few hundred operations.
#pragma once

#include <acre/mapping/effort.hpp>
#include <acre/mapping/structured.hpp>

namespace acre::mapping {

/// Exchanges ranks of the busiest links with others as long as that lowers the energy (steepest
/// descent), until nothing is found or the effort is spent. Free slots take part.
/// The result is never worse than `start` by metrics::better_than.
[[nodiscard]] placement descend(const problem& given, placement start, const effort& effort);

/// Simulated annealing: exchanges that raise the energy are taken too, ever more seldom, from
/// which descend() goes on (Kirkpatrick, Gelatt, Vecchi: Optimization by simulated annealing,
/// 1983). The result is never worse than `start` by metrics::better_than.
[[nodiscard]] placement anneal(const problem& given, placement start, const effort& effort);

}  // namespace acre::mapping
