// SPDX-License-Identifier: BSD-3-Clause
// `acre reorder`: runs an MPI program with reordered MPI_COMM_WORLD.
#pragma once

#include <string>
#include <vector>

namespace acre::tool {

struct reorder_options {
  std::string order;  ///< file: slot of each new rank
  std::string trace;  ///< traffic file, or empty
  std::string mpi;    ///< empty: detected
  std::vector<std::string> command;
};

/// @return the command's status; 2: error before its start
[[nodiscard]] int reorder(const reorder_options& options);

}  // namespace acre::tool
