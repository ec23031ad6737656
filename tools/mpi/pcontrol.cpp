// SPDX-License-Identifier: BSD-3-Clause
// MPI_Pcontrol has variadic arguments.
#include "rules.hpp"
#include "windows.hpp"

namespace acre::mpi {
namespace {

// Levels of the standard: 0 off, 1 on, 2 flush.
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
