/* SPDX-License-Identifier: BSD-3-Clause */
/* apps/isx in MPI, exchanged by MPI_Alltoallv. Prints the slowest rank's median iteration, as JSON.
 *
 *     mpirun -n 2 isx_mpi [KEYS_OF_A_RANK [ITERATIONS]] */
#define _GNU_SOURCE
#include "isx.h"

#include <mpi.h>

static void exchange(void) {
  MPI_Alltoall(bucket_sizes, row, MPI_INT, received_sizes, row, MPI_INT, MPI_COMM_WORLD);
  size_t all = 0;
  for (int source = 0; source < size; ++source) {
    receive_begins[source] = (int)all;
    receive_counts[source] = 0;
    for (int b = 0; b < row; ++b) receive_counts[source] += received_sizes[source * row + b];
    all += (size_t)receive_counts[source];
  }
  if (all > capacity) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Alltoallv(bucketized, send_counts, send_begins, MPI_UINT32_T, received, receive_counts,
                receive_begins, MPI_UINT32_T, MPI_COMM_WORLD);
}

static phases sort_once(void) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  bucketize();
  const double bucketized_at = MPI_Wtime();
  exchange();
  const double exchanged_at = MPI_Wtime();
  count_and_write();
  MPI_Barrier(MPI_COMM_WORLD);
  double times[3] = {bucketized_at - begin, exchanged_at - bucketized_at,
                     MPI_Wtime() - exchanged_at};
  MPI_Allreduce(MPI_IN_PLACE, times, 3, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return (phases){times[0], times[1], times[2]};
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  prepare(argc > 1 ? strtoull(argv[1], NULL, 10) : (size_t)1 << 24);
  const int iterations = argc > 2 ? atoi(argv[2]) : 5;
  received = allocate(sizeof(key) * capacity);
  received_sizes = allocate(sizeof(int) * (size_t)row * (size_t)size);
  receive_begins = allocate(sizeof(int) * (size_t)size);

  sort_once();
  phases* times = malloc(sizeof(phases) * (size_t)iterations);
  for (int i = 0; i < iterations; ++i) times[i] = sort_once();
  check all = check_here();
  MPI_Allreduce(MPI_IN_PLACE, &all, sizeof all / sizeof all.found, MPI_UINT64_T, MPI_SUM,
                MPI_COMM_WORLD);
  if (rank == 0) print(times, iterations, is_right(all));
  MPI_Finalize();
  return is_right(all) ? 0 : 1;
}
