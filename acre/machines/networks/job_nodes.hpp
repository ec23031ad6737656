// SPDX-License-Identifier: BSD-3-Clause
// Which nodes a job has, and how many ranks each takes: from a file, or from the
// command line. What job managers say is in job_manager.hpp.
//
// | said by                 | as                                                         |
// |-------------------------|------------------------------------------------------------|
// | Open MPI's hostfile     | n01 slots=24 max_slots=48                                  |
// | MPICH's hostfile        | n01:24                                                     |
// | plain lines             | n01                                                        |
// | Flux's resources        | what `flux resource R` prints                              |
// | Acre's JSON             | "allocation": [{"nodes": "n[01-04]", "slots": 24}]         |
// | a list                  | n1,n2:12,n[03-16] or 0-63                                  |
//
// A line without a number counts as many slots as the caller says; if it comes
// again, they add up. A number that is given twice for one node is an error.
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

/// Reads a hostfile, of any of the kinds above, or the allocation of Acre's JSON.
/// @param slots of a line that says none
[[nodiscard]] std::vector<job_node> nodes_of_hostfile(const source_text& file, std::uint32_t slots);

/// Reads a list as on a command line. Numbers (0-63) are names that allocation_on() understands.
/// @param slots of each node that has no :NUMBER
[[nodiscard]] std::vector<job_node> nodes_of_list(std::string_view list, std::uint32_t slots);

/// A hostfile where there is a file of that name, else a list.
[[nodiscard]] std::vector<job_node> read_job_nodes(const std::string& list_or_path,
                                                   std::uint32_t slots);

/// The job's nodes as those of a network. A node is found by its name; else by the part of it
/// before the first dot, whichever of both has more; else, where no node of the network has a
/// number for a name, by its number.
/// @throws acre::error that names the node that is not there, that two names stand for, or that
/// comes twice; or when there are more than 2^24 slots
[[nodiscard]] topology::allocation allocation_on(const described_network& machine,
                                                 const std::vector<job_node>& nodes);

}  // namespace acre::machines
