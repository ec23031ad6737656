// SPDX-License-Identifier: BSD-3-Clause
// Windows: parts of the run, each of which a rank writes down when it ends.
//
// A job that is killed leaves the windows that had ended. Nothing in them is collective: each rank
// adds a block to a file of its own, and `acre trace`, which outlives the job, puts these together.
// A thread of the layer's own waits for the time, or for a signal, and writes; so a rank that
// computes, or waits in MPI for ever, leaves its windows too. A block that a kill cut off has no
// last line, and is left out:
//
//     acre part of rank 3 of 64
//     program ./app input
//     window 1 0.000 60.001          its number, the seconds after MPI_Init when it began and ended
//     % cartesian communicator: ...  as in the matrix
//     to 4 8192 2                    bytes and messages that were sent to rank 4
//     from 0 64 1                    the same fetched from rank 0
//     end 1
#pragma once

#include <string>

namespace acre::mpi {

struct window_wishes {
  std::string folder;  ///< for the files of the ranks: rank-3; empty: no windows
  double every = 0;    ///< seconds that a window lasts; 0: until something else ends it
  int signal = 0;      ///< ends one; 0: none does

  /// Whether a thread writes them; else MPI_Pcontrol alone ends windows.
  [[nodiscard]] bool have_writer() const { return !folder.empty() && (every > 0 || signal != 0); }
};

/// After the recording has begun.
void begin_windows(const window_wishes& wishes);

/// Ends a window, where there are any: what was counted since the last one is written.
void end_window();

/// Before MPI_Finalize: writes the last window.
void end_windows();

}  // namespace acre::mpi
