// SPDX-License-Identifier: BSD-3-Clause
// Maps by recursive bisection. The machine is split between groups, or across its longest side. One
// half of the ranks is grown, then improved by exchanges; traffic with outside ranks attracts to
// the nearer half. Ercal, Ramanujam, Sadayappan: Task allocation onto a hypercube by recursive
// mincut bipartitioning, 1990; Fiduccia, Mattheyses, 1982.
#pragma once

#include <acre/mapping/structured.hpp>

namespace acre::mapping {

/// O(flows log ranks log nodes) time, O(ranks + flows) memory.
///
/// @throws acre::error on too few slots, or after `given.until`
[[nodiscard]] placement bisection(const problem& given);

}  // namespace acre::mapping
