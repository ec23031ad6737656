// SPDX-License-Identifier: BSD-3-Clause
// Writing an order of ranks as launchers read it.
//
// | format   | read by                                  | each line                            |
// |----------|------------------------------------------|--------------------------------------|
// | rankfile | Open MPI: mpirun --rankfile FILE         | rank 0=node3 slot=5                  |
// | mpich    | Cray MPICH: a file MPICH_RANK_ORDER      | the ranks of a node: 0,1,8,9         |
// | slurm    | srun --distribution=arbitrary            | the node of a rank                   |
// | intel    | Intel MPI, MPICH: mpiexec -machinefile   | node3:4, the next four ranks         |
// | order    | acre reorder                             | the slot of a rank                   |
#pragma once

#include <acre/mapping/metrics.hpp>
#include <acre/topology/allocation.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace acre::tool {

/// An order, and what its slots belong to. All must outlive this.
struct written_order {
  const mapping::placement& places;
  const topology::allocation& allocation;
  std::span<const std::string> node_names;  ///< in the order of the allocation's list
};

/// @throws acre::error for a name that launchers, whose files part names by some characters, would
/// take apart: no format that names nodes can have it
void require_plain_names(std::span<const std::string> names);

/// The slots of a rankfile are counted within their node, from 0.
[[nodiscard]] std::string as_rankfile(const written_order& order);

/// @throws acre::error when slots stay free before the last rank: such a file cannot say that
[[nodiscard]] std::string as_mpich_rank_order(const written_order& order);

[[nodiscard]] std::string as_slurm_hostfile(const written_order& order);

[[nodiscard]] std::string as_machinefile(const written_order& order);

/// @throws acre::error when slots stay free before the last rank: acre reorder could not have it
[[nodiscard]] std::string as_order(const written_order& order);

/// What each slot has: its rank, or -1 when it is free.
[[nodiscard]] std::vector<std::int64_t> ranks_of_slots(const written_order& order);

}  // namespace acre::tool
