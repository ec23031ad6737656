// SPDX-License-Identifier: BSD-3-Clause
// Converts Fortran handles by functions, as MPI's conversions may be macros.
#pragma once

#include "mpi_header.hpp"

namespace acre::mpi {

namespace from_fortran {

inline MPI_Comm communicator(MPI_Fint handle) { return PMPI_Comm_f2c(handle); }
inline MPI_Datatype type(MPI_Fint handle) { return PMPI_Type_f2c(handle); }
inline MPI_Win window(MPI_Fint handle) { return PMPI_Win_f2c(handle); }
inline MPI_Op operation(MPI_Fint handle) { return PMPI_Op_f2c(handle); }
inline MPI_Request request(MPI_Fint handle) { return PMPI_Request_f2c(handle); }
inline MPI_Errhandler error_handler(MPI_Fint handle) { return PMPI_Errhandler_f2c(handle); }

}  // namespace from_fortran

inline MPI_Fint to_fortran(MPI_Comm comm) { return PMPI_Comm_c2f(comm); }

/// mpi_f08 may omit `ierror`; errors then usually end the program.
inline bool succeeded(const MPI_Fint* ierror) {
  return ierror == nullptr || *ierror == MPI_SUCCESS;
}

template <auto Convert>
struct handles {
  const MPI_Fint* first;
  auto operator[](int i) const { return Convert(first[i]); }
};

}  // namespace acre::mpi
