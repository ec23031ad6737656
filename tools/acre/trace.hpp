// `acre trace`: runs an MPI program and writes who sent how much to whom, for `acre map`.
#pragma once

#include <string>
#include <vector>

namespace acre::tool {

struct trace_options {
  std::string output = "traffic.mtx";  ///< bytes; messages go to traffic.messages.mtx
  std::string mpi;                     ///< "openmpi", "mpich"; empty: found by itself
  std::vector<std::string> command;    ///< the launcher, its options, and the program
};

/// @return the status to exit with: the command's, or 1 when it ended well but wrote nothing
[[nodiscard]] int trace(const trace_options& options);

}  // namespace acre::tool
