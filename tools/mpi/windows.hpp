// SPDX-License-Identifier: BSD-3-Clause
// Windows: intervals that each rank writes to its own file as they end, for killed jobs. `acre
// trace` merges the files (docs/mpi.md) and ignores blocks without last line:
//
//     acre part of rank 3 of 64
//     program ./app input
//     window 1 0.000 60.001          number, begin and end in seconds after MPI_Init
//     % cartesian communicator: ...
//     to 4 8192 2                    bytes, messages
//     from 0 64 1                    fetched
//     end 1
#pragma once

#include <string>

namespace acre::mpi {

struct window_wishes {
  std::string folder;  ///< empty: no windows
  double every = 0;    ///< seconds; 0: off
  int signal = 0;      ///< 0: off

  /// True if a thread ends windows; otherwise only MPI_Pcontrol does.
  [[nodiscard]] bool have_writer() const { return !folder.empty() && (every > 0 || signal != 0); }
};

/// Call after begin_recording().
void begin_windows(const window_wishes& wishes);

void end_window();

/// Call before MPI_Finalize.
void end_windows();

}  // namespace acre::mpi
