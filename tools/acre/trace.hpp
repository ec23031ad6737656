// SPDX-License-Identifier: BSD-3-Clause
// `acre trace`: runs an MPI program and writes its traffic for `acre map`.
#pragma once

#include <string>
#include <vector>

namespace acre::tool {

struct trace_options {
  std::string output = "traffic.mtx";  ///< bytes; see messages_file()
  std::string mpi;                     ///< empty: detected
  bool windows = false;                ///< write windows; MPI_Pcontrol(2) ends one
  double every = 0;                    ///< seconds per window; 0: off
  std::string signal;                  ///< ends a window: "USR1", "USR2", "TERM"; empty: off
  std::string parts;                   ///< folder of a killed job, to merge; empty: run
  std::vector<std::string> command;
};

/// @return status, or 1 if the command succeeded without a trace
[[nodiscard]] int trace(const trace_options& options);

}  // namespace acre::tool
