/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of MPI 4 or extensions. Prints the bytes from each rank to the next. */
#include <mpi.h>
#include <stdio.h>
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

int main(int argc, char** argv) {
  static char out[4096], in[4096];
  int rank, size, bytes = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
#if MPI_VERSION >= 4
  MPI_Sendrecv_c(out, 1, MPI_CHAR, (rank + 1) % size, 0, in, 1, MPI_CHAR, (rank + size - 1) % size,
                 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Isendrecv(out, 2, MPI_CHAR, (rank + 1) % size, 0, in, 2, MPI_CHAR, (rank + size - 1) % size,
                0, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  bytes += 1 + 2;
  MPI_Allgather_init(out, 4, MPI_CHAR, in, 4, MPI_CHAR, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
#elif defined(OMPI_HAVE_MPI_EXT_PCOLLREQ) && OMPI_HAVE_MPI_EXT_PCOLLREQ
  MPIX_Allgather_init(out, 4, MPI_CHAR, in, 4, MPI_CHAR, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
#endif
  if (request != MPI_REQUEST_NULL) {
    out[0] = (char)rank;
    for (int i = 0; i < 3; ++i) {
      MPI_Start(&request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      bytes += 4 * (size - 1);
    }
    for (int i = 0; i < size; ++i) {
      if (in[4 * i] != i) MPI_Abort(MPI_COMM_WORLD, 3);
    }
    MPI_Request_free(&request);
  }
  if (rank == 0) printf("%d bytes\n", bytes);
  MPI_Finalize();
  return 0;
}
