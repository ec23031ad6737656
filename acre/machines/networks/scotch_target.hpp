// SPDX-License-Identifier: BSD-3-Clause
// Target architectures of Scotch, as its programs write them (.tgt):
//
// | text                   | network                                                         |
// |------------------------|-----------------------------------------------------------------|
// | mesh2D 8 4             | a mesh; mesh3D, and meshXD with its number of dimensions before |
// | torus3D 8 8 6          | a torus, likewise                                               |
// | hcub 7                 | a hypercube of 2^7 nodes                                        |
// | cmplt 16               | 16 nodes on one switch                                          |
// | tleaf 2 4 10 8 1       | levels, and for each from the root its children and their cost  |
// | deco 0 …               | distances between all nodes                                     |
//
// What a message costs on a link is inverse to what the link carries: usual for
// cost 1. Of distances, those that no third node explains are cables.
#pragma once

#include <acre/machines/networks/described_network.hpp>
#include <acre/machines/networks/source_text.hpp>

namespace acre::machines {

/// The nodes of a "deco 0" that are taken, for finding cables takes their cube.
inline constexpr std::uint32_t most_nodes_of_distances = 512;

/// @throws acre::error that names the line: an architecture that is not read, a number that is
/// missing or too large
[[nodiscard]] described_network read_scotch_target(const source_text& file);

/// Whether a text begins with the name of an architecture of Scotch.
[[nodiscard]] bool names_scotch_target(std::string_view word);

}  // namespace acre::machines
