// SPDX-License-Identifier: BSD-3-Clause
// Orders of ranks for launchers:
//
// | rankfile | Open MPI --rankfile       | rank 0=node3 slot=5      |
// | mpich    | Cray MPICH_RANK_ORDER     | ranks of a node: 0,1,8,9 |
// | slurm    | --distribution=arbitrary  | node of a rank           |
// | intel    | mpiexec -machinefile      | node3:4, next four ranks |
// | order    | acre reorder              | slot of a rank           |
#pragma once

#include <acre/mapping/metrics.hpp>
#include <acre/topology/allocation.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace acre::tool {

/// Holds references.
struct written_order {
  const mapping::placement& places;
  const topology::allocation& allocation;
  std::span<const std::string> node_names;  ///< in allocation order
};

/// @throws acre::error for names with characters at which launchers split
void require_plain_names(std::span<const std::string> names);

/// Slots count from 0 within their node.
[[nodiscard]] std::string as_rankfile(const written_order& order);

/// @throws acre::error if a slot below the number of ranks is free
[[nodiscard]] std::string as_mpich_rank_order(const written_order& order);

[[nodiscard]] std::string as_slurm_hostfile(const written_order& order);

[[nodiscard]] std::string as_machinefile(const written_order& order);

/// @throws acre::error if a slot below the number of ranks is free
[[nodiscard]] std::string as_order(const written_order& order);

/// Rank of each slot, or -1 if free.
[[nodiscard]] std::vector<std::int64_t> ranks_of_slots(const written_order& order);

}  // namespace acre::tool
