// Making a mapping cheaper by exchanging ranks: fewer hop-bytes, or fewer bytes across the upper
// levels of a hierarchy.
//
// An exchange changes the ways of two ranks' messages only, so what it is worth costs as many
// operations as these have peers. Slots near a rank's peers are tried, as those are where it may be
// cheaper (Schulz, Träff: Better process mapping and sparse quadratic assignment, 2017).
#pragma once

#include <acre/mapping/refine.hpp>

namespace acre::mapping {

/// Exchanges each rank with those on the nodes of its peers as long as that makes the mapping
/// cheaper, or until the effort is spent. Free slots take part.
[[nodiscard]] placement descend_cost(const problem& given, placement start, const effort& effort);

/// Simulated annealing on the same exchanges, and the descent from what it has found. The result
/// never costs more than `start`.
[[nodiscard]] placement anneal_cost(const problem& given, placement start, const effort& effort);

}  // namespace acre::mapping
