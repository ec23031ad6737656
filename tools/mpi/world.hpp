// SPDX-License-Identifier: BSD-3-Clause
// A reordered communicator replaces MPI_COMM_WORLD; derived objects inherit its order.
#pragma once

#include "mpi_header.hpp"

namespace acre::mpi {

extern MPI_Comm new_world;
extern bool has_new_world;

/// Collective; keeps MPI_COMM_WORLD if the order changes no rank.
/// @param file slot (true rank) of each new rank; true rank 0 reads it, and aborts the job if
/// invalid
void reorder_world(const char* file);

[[nodiscard]] inline MPI_Comm reordered(MPI_Comm given) {
  return has_new_world && given == MPI_COMM_WORLD ? new_world : given;
}
/// For MPI_Abort, which ends the true world, and Fortran handles.
[[nodiscard]] inline MPI_Comm as_given(MPI_Comm given) { return given; }
/// MPI's own attributes stay at MPI_COMM_WORLD.
[[nodiscard]] MPI_Comm holder_of_attribute(MPI_Comm given, int key);
/// The true world's handler also serves errors without communicator.
void set_errhandler_of_world(MPI_Comm of, MPI_Errhandler handler);

}  // namespace acre::mpi
