// SPDX-License-Identifier: BSD-3-Clause
// The mapping of Scotch: dual recursive bipartitioning of traffic and machine
// (Pellegrini, Roman: Scotch, a software package for static mapping by dual
// recursive bipartitioning of process and architecture graphs, 1996).
//
// Scotch is handed a torus as a torus, a network whose groups are all alike as a tree,
// any other one as the distances between the nodes of the job. It balances nodes only
// about, so ranks that are too many on a node move to the nearest one with a free slot.
// Where the problem has a time, Scotch runs in a child process, which is ended then.
#pragma once

#include <acre/mapping/structured.hpp>

namespace acre::machines {

/// What scotch() takes of networks that are neither tori nor trees: each node's distance to each is
/// listed.
inline constexpr std::size_t most_nodes_for_scotch = 2048;

/// The same result for the same problem, whatever ran before.
/// @throws acre::error when there are more ranks than slots, when Scotch fails or has not ended in
/// time, or when the network's distances must be listed and the job has more than
/// most_nodes_for_scotch nodes
[[nodiscard]] mapping::placement scotch(const mapping::problem& given);

}  // namespace acre::machines
