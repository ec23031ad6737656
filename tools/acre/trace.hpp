// SPDX-License-Identifier: BSD-3-Clause
// `acre trace`: runs an MPI program and writes who sent how much to whom, for `acre map`.
#pragma once

#include <string>
#include <vector>

namespace acre::tool {

struct trace_options {
  std::string output = "traffic.mtx";  ///< bytes; messages go to traffic.messages.mtx
  std::string mpi;                     ///< "openmpi", "mpich"; empty: found by itself
  bool windows = false;                ///< MPI_Pcontrol(2) ends them; and so do
  double every = 0;                    ///< seconds, 0: none do
  std::string signal;                  ///< "USR1", "USR2", "TERM"; empty: none
  std::string parts;                   ///< a folder that a killed job left; nothing is run
  std::vector<std::string> command;    ///< the launcher, its options, and the program
};

/// Runs the command; or puts together what an earlier one has left.
/// @return the status to exit with: the command's, or 1 when it ended well but wrote nothing
[[nodiscard]] int trace(const trace_options& options);

}  // namespace acre::tool
