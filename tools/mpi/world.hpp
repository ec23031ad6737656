// SPDX-License-Identifier: BSD-3-Clause
// MPI_COMM_WORLD in a new order: a communicator of all ranks that is passed in its place.
//
// All that MPI makes of a communicator (groups, duplicates, windows, files, spawned jobs) follows
// the order of the one that it gets, so that nothing else has to be translated.
#pragma once

#include "mpi_header.hpp"

namespace acre::mpi {

/// MPI_COMM_WORLD in its new order, and whether there is one.
extern MPI_Comm new_world;
extern bool has_new_world;

/// Makes the new world.
/// @param file which slot (rank of the true world) each new rank gets; read by the true rank 0,
///             which ends the job with a message when it cannot be used
void reorder_world(const char* file);

/// What a call gets for the communicator that it was given.
[[nodiscard]] inline MPI_Comm reordered(MPI_Comm given) {
  return has_new_world && given == MPI_COMM_WORLD ? new_world : given;
}
/// MPI_Abort ends the true world, and its number in Fortran stands for the new one.
[[nodiscard]] inline MPI_Comm as_given(MPI_Comm given) { return given; }
/// The attributes that MPI itself attaches to MPI_COMM_WORLD stay there.
[[nodiscard]] MPI_Comm holder_of_attribute(MPI_Comm given, int key);
/// The true world's handler is also called for errors that belong to no communicator.
void set_errhandler_of_world(MPI_Comm of, MPI_Errhandler handler);

}  // namespace acre::mpi
