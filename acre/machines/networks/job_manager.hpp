// SPDX-License-Identifier: BSD-3-Clause
// Nodes of this process's job, from the first job manager found: Flux, Slurm, LSF, PBS, Grid
// Engine, PRRTE (docs/topology.md). Flux jobs may run inside Slurm jobs.
#pragma once

#include <acre/machines/networks/job_nodes.hpp>

#include <string_view>
#include <vector>

namespace acre::machines {

/// @throws acre::error if it is missing or its data is malformed
[[nodiscard]] std::vector<job_node> nodes_of_this_job();

/// @param tasks_per_node "24(x3),12"
[[nodiscard]] std::vector<job_node> nodes_of_slurm(std::string_view node_list,
                                                   std::string_view tasks_per_node);

/// @param hosts LSB_MCPU_HOSTS: "n01 24 n02 12"
[[nodiscard]] std::vector<job_node> nodes_of_lsf(std::string_view hosts);

/// @param file PE_HOSTFILE: a line per queue of a node
[[nodiscard]] std::vector<job_node> nodes_of_grid_engine(const source_text& file);

}  // namespace acre::machines
