// SPDX-License-Identifier: BSD-3-Clause
// Simulated shift: rank i sends BYTES to rank i + STEP, all at once. Prints the slowest rank's
// seconds.
//
//     smpi_shift STEP BYTES
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int step = atoi(argv[1]);
  const int bytes = atoi(argv[2]);
  // One buffer for all ranks; its data is unused.
  static char* buffer;
  if (rank == 0) buffer = SMPI_SHARED_MALLOC(bytes);
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  MPI_Sendrecv(buffer, bytes, MPI_BYTE, (rank + step) % size, 0, buffer, bytes, MPI_BYTE,
               (rank + size - step) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  const double seconds = MPI_Wtime() - begin;
  double slowest = 0;
  MPI_Reduce(&seconds, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    printf("{\"seconds\": %.9g}\n", slowest);
    SMPI_SHARED_FREE(buffer);
  }
  MPI_Finalize();
  return 0;
}
