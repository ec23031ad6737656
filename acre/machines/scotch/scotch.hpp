// SPDX-License-Identifier: BSD-3-Clause
// Maps ranks by Scotch: dual recursive bipartitioning of traffic and machine (Pellegrini, Roman
// 1996).
//
// A torus or mesh is passed as one, a regular job on a network with levels as a tree, others as
// distances; with levels, up to 64 nodes also as distances. Ranks beyond a node's slots move to the
// nearest free slot. With a time limit, Scotch runs in a child process.
#pragma once

#include <acre/mapping/structured.hpp>

namespace acre::machines {

/// Limit for listed distances, which are quadratic.
inline constexpr std::size_t most_nodes_for_scotch = 2048;

/// Deterministic for a problem.
/// @throws acre::error: too few slots, Scotch failed or timed out, or distances of more than
/// most_nodes_for_scotch nodes
[[nodiscard]] mapping::placement scotch(const mapping::problem& given);

}  // namespace acre::machines
