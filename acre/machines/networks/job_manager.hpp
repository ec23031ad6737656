// SPDX-License-Identifier: BSD-3-Clause
// What the job manager says of the nodes of the job that this process is of.
//
// | manager     | says it in                                                          |
// |-------------|---------------------------------------------------------------------|
// | Flux        | what `flux job info $FLUX_JOB_ID R` prints, and outside of a job of |
// |             | the instance at FLUX_URI what `flux resource R` prints              |
// | Slurm       | SLURM_JOB_NODELIST=n[01-04] SLURM_TASKS_PER_NODE=24(x3),12          |
// | LSF         | LSB_DJOB_HOSTFILE: a line for each slot; LSB_MCPU_HOSTS="n01 24 …"  |
// | PBS         | PBS_NODEFILE: a line for each slot                                  |
// | Grid Engine | PE_HOSTFILE: n01 24 all.q@n01 UNDEFINED                             |
// | PRRTE, of   | PRTE_MCA_prte_default_hostfile: a hostfile                          |
// | Open MPI 5  |                                                                     |
//
// The first that is there counts: a job of Flux may run inside of one of Slurm.
#pragma once

#include <acre/machines/networks/job_nodes.hpp>

#include <string_view>
#include <vector>

namespace acre::machines {

/// @throws acre::error when there is none, or when it says what is wrong
[[nodiscard]] std::vector<job_node> nodes_of_this_job();

/// @param tasks_per_node "24(x3),12": of each node in the order of the list
[[nodiscard]] std::vector<job_node> nodes_of_slurm(std::string_view node_list,
                                                   std::string_view tasks_per_node);

/// @param hosts LSB_MCPU_HOSTS: "n01 24 n02 12"
[[nodiscard]] std::vector<job_node> nodes_of_lsf(std::string_view hosts);

/// @param file PE_HOSTFILE: a line for each queue of a node, with its slots
[[nodiscard]] std::vector<job_node> nodes_of_grid_engine(const source_text& file);

}  // namespace acre::machines
