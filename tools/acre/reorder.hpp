// SPDX-License-Identifier: BSD-3-Clause
// `acre reorder`: runs an unchanged MPI program with the ranks of MPI_COMM_WORLD in a new order.
#pragma once

#include <string>
#include <vector>

namespace acre::tool {

struct reorder_options {
  std::string order;                 ///< a file: the slot (old rank) of each new rank
  std::string trace;                 ///< where to write the traffic between slots; empty: nowhere
  std::string mpi;                   ///< "openmpi", "mpich"; empty: found by itself
  std::vector<std::string> command;  ///< the launcher, its options, and the program
};

/// @return the status to exit with: the command's, or 2 when the order is none
[[nodiscard]] int reorder(const reorder_options& options);

}  // namespace acre::tool
