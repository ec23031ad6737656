// SPDX-License-Identifier: BSD-3-Clause
// Reads a job's nodes and slots from files or the command line (docs/topology.md). Repeated lines
// without a number add up; a repeated node with a number is an error.
#pragma once

#include <acre/machines/networks/described_network.hpp>
#include <acre/machines/networks/job_node.hpp>
#include <acre/machines/networks/source_text.hpp>
#include <acre/topology/allocation.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace acre::machines {

/// Reads a hostfile, Flux's R, or the allocation of Acre's JSON.
/// @param slots slots of a node without a number; 1 per line if any such node is repeated
[[nodiscard]] std::vector<job_node> nodes_of_hostfile(const source_text& file, std::uint32_t slots);

/// Reads a command-line list. Numbers (0-63) are names that allocation_on() resolves.
/// @param slots default of a node without :NUMBER
[[nodiscard]] std::vector<job_node> nodes_of_list(std::string_view list, std::uint32_t slots);

/// Reads a hostfile if it exists, else a list.
[[nodiscard]] std::vector<job_node> read_job_nodes(const std::string& list_or_path,
                                                   std::uint32_t slots);

/// Finds the job's nodes in a network by full name, then by name up to the first dot, then by
/// number if no node has a numeric name.
/// @throws acre::error with the node: missing, ambiguous or duplicate; for more than 2^24 slots
[[nodiscard]] topology::allocation allocation_on(const described_network& machine,
                                                 const std::vector<job_node>& nodes);

}  // namespace acre::machines
