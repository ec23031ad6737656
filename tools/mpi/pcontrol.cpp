// SPDX-License-Identifier: BSD-3-Clause
// MPI_Pcontrol, by which a program says what of it is recorded. By its dots it is like no other
// call, so it is wrapped by hand: of C, of both implementations' mpif.h, and of their mpi_f08.
#include "rules.hpp"
#include "windows.hpp"

namespace acre::mpi {
namespace {

// The levels that the MPI standard proposes: 0 off, 1 on, 2 "profile buffers are flushed".
void control(int level) {
  if (level == 0 || level == 1) record_traffic(level == 1);
  if (level == 2 && tracing()) end_window();
}

}  // namespace
}  // namespace acre::mpi

ACRE_MPI_ENTRY int MPI_Pcontrol(const int level, ...) {
  acre::mpi::control(level);
  return MPI_SUCCESS;
}

ACRE_MPI_ENTRY void mpi_pcontrol_(const MPI_Fint* level) { acre::mpi::control(*level); }

ACRE_MPI_ENTRY [[gnu::alias("mpi_pcontrol_")]] void mpi_pcontrol_f08_(const MPI_Fint* level);
