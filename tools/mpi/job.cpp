// Where the layer begins and ends: in MPI_Init and MPI_Finalize.
#include "matrix_files.hpp"
#include "rules.hpp"

#include <cstdlib>
#include <string>
#include <utility>

namespace acre::mpi {
namespace {

// Empty: not asked for.
std::string setting(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

void started() {
  // MPICH's Fortran calls the C functions, so one may come through two wrappers.
  static bool before = false;
  if (std::exchange(before, true)) return;
  // A spawned program has a world of its own, which nobody has measured or ordered.
  MPI_Comm parent = MPI_COMM_NULL;
  PMPI_Comm_get_parent(&parent);
  if (parent != MPI_COMM_NULL) return;
  if (const std::string order = setting("ACRE_MPI_ORDER"); !order.empty()) {
    reorder_world(order.c_str());
  }
  if (!setting("ACRE_MPI_TRACE").empty()) begin_recording();
}

void ending() {
  if (!std::exchange(is_recording, false)) return;
  write_matrix_files(setting("ACRE_MPI_TRACE"));
}

}  // namespace acre::mpi
