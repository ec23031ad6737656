// SPDX-License-Identifier: BSD-3-Clause
// Multilevel mapping: ranks are coarsened into groups that fill nodes, blades and groups of the
// machine; these are annealed and expanded level by level. Further rounds join only ranks placed
// together: no gain is lost.
//
// Karypis, Kumar: A fast and high quality multilevel scheme for partitioning irregular graphs,
// 1998; Sanders, Schulz, 2011: rounds; Schulz, Träff, 2017: machine levels.
#pragma once

#include <acre/mapping/refine.hpp>

namespace acre::mapping {

/// Maps from the traffic alone, by link loads or cost (`given.goal`); without traffic, the default
/// order. Ends after several ever longer rounds without gain. O(flows * levels * trials per rank)
/// time per round, O(flows) memory.
[[nodiscard]] placement multilevel(const problem& given, const effort& effort);

/// Improves `start` by multilevel rounds; link loads (or cost, by `given.goal`) never increase.
[[nodiscard]] placement anneal_levels(const problem& given, placement start, const effort& effort);

}  // namespace acre::mapping
