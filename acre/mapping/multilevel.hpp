// SPDX-License-Identifier: BSD-3-Clause
// Mapping by levels: ranks that talk much are put together in pairs, these in pairs
// again, until groups of them fill nodes, blades and groups of the machine. The few
// groups that are left are annealed, then taken apart level by level, and annealed
// again where they are. Further rounds put together only who is together already, so
// that none loses what another has found.
//
// Karypis, Kumar: A fast and high quality multilevel scheme for partitioning irregular
// graphs, 1998; Sanders, Schulz: Engineering multilevel graph partitioning algorithms,
// 2011 (rounds); Schulz, Träff: Better process mapping and sparse quadratic assignment,
// 2017 (levels of the machine).
#pragma once

#include <acre/mapping/refine.hpp>

namespace acre::mapping {

/// From nothing but the traffic; the default order where ranks send nothing. Minimises
/// metrics::cost. Ends when some rounds in a row have gained nothing, each of them of more trials
/// than the last. Time O(flows * levels * trials a rank) a round, memory O(flows).
[[nodiscard]] placement multilevel(const problem& given, const effort& effort);

/// The same from an order that there is; the result never costs more than that.
[[nodiscard]] placement anneal_levels(const problem& given, placement start, const effort& effort);

}  // namespace acre::mapping
