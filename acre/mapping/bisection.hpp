// SPDX-License-Identifier: BSD-3-Clause
// Mapping by recursive bisection: machine and traffic are halved together.
//
// The nodes are cut in two where the machine is easiest to cut: between groups, or
// across the longest side of a grid. The ranks are cut into as many as the halves
// have slots, so that little crosses the cut: grown from a rank at the border, then
// bettered by exchanges (Ercal, Ramanujam, Sadayappan: Task allocation onto a
// hypercube by recursive mincut bipartitioning, 1990; Fiduccia, Mattheyses: A linear-time
// heuristic for improving network partitions, 1982). What is exchanged with ranks
// outside pulls to the half that is nearer to them.
#pragma once

#include <acre/mapping/structured.hpp>

namespace acre::mapping {

/// O(flows log ranks log nodes) time, O(ranks + flows) memory.
/// @throws acre::error when there are more ranks than slots
[[nodiscard]] placement bisection(const problem& given);

}  // namespace acre::mapping
