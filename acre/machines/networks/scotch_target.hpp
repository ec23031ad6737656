// SPDX-License-Identifier: BSD-3-Clause
// Reads Scotch target files, .tgt (docs/topology.md).
#pragma once

#include <acre/machines/networks/described_network.hpp>
#include <acre/machines/networks/source_text.hpp>

namespace acre::machines {

/// Limit of nodes in "deco 0" (distances of all pairs): finding cables is cubic.
inline constexpr std::uint32_t most_nodes_of_distances = 512;

/// @throws acre::error with the line: an unknown architecture, a missing or too large number
[[nodiscard]] described_network read_scotch_target(const source_text& file);

[[nodiscard]] bool names_scotch_target(std::string_view word);

}  // namespace acre::machines
