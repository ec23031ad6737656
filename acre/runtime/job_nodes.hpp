// SPDX-License-Identifier: BSD-3-Clause
// Nodes of the running job.
#pragma once

#include <acre/fabric/forward.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace acre::runtime {

struct job_nodes {
  std::vector<std::uint32_t> node_of;
  std::uint32_t node_count = 1;
  std::vector<fabric::rank_t> neighbours;
  std::size_t cpus_a_rank = 1;
};

/// Null outside a job.
extern constinit const job_nodes* the_nodes;

}  // namespace acre::runtime
