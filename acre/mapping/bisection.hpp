// SPDX-License-Identifier: BSD-3-Clause
// Maps by recursive bisection of machine (between groups, or across the longest side) and traffic.
// Halves of the ranks are grown, then improved by exchanges; traffic with outside ranks attracts to
// the nearer half.
//
// Ercal, Ramanujam, Sadayappan: Task allocation onto a hypercube by recursive mincut
// bipartitioning, 1990; Fiduccia, Mattheyses, 1982.
#pragma once

#include <acre/mapping/structured.hpp>

namespace acre::mapping {

/// O(flows log ranks log nodes) time, O(ranks + flows) memory.
///
/// @throws acre::error on too few slots
[[nodiscard]] placement bisection(const problem& given);

}  // namespace acre::mapping
