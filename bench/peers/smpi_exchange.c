// SPDX-License-Identifier: BSD-3-Clause
// Simulated neighbour exchange in a periodic grid: the slowest rank's seconds per size. Size i
// begins at second i.
//
//     smpi_exchange 16x8x8 blocking|free|GFLOP BYTES...
//
// "blocking" is a sequence of MPI_Sendrecv; "free" posts all transfers at once. A number is free,
// with a product of GFLOP between posting and waiting.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { most_dimensions = 8, most_sizes = 32, most_bytes = 1 << 20 };

typedef struct {
  int down, up;
} neighbours;

static void exchange_blocking(const neighbours* to, int dimensions, char* buffer, int bytes,
                              MPI_Comm grid) {
  for (int d = 0; d < dimensions; ++d) {
    MPI_Sendrecv(buffer, bytes, MPI_BYTE, to[d].down, 0, buffer, bytes, MPI_BYTE, to[d].up, 0, grid,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(buffer, bytes, MPI_BYTE, to[d].up, 1, buffer, bytes, MPI_BYTE, to[d].down, 1, grid,
                 MPI_STATUS_IGNORE);
  }
}

static void exchange_free(const neighbours* to, int dimensions, char* buffer, int bytes,
                          MPI_Comm grid, double gigaflop) {
  MPI_Request pending[4 * most_dimensions];
  int count = 0;
  for (int d = 0; d < dimensions; ++d) {
    MPI_Irecv(buffer, bytes, MPI_BYTE, to[d].up, 0, grid, &pending[count++]);
    MPI_Irecv(buffer, bytes, MPI_BYTE, to[d].down, 1, grid, &pending[count++]);
  }
  for (int d = 0; d < dimensions; ++d) {
    MPI_Isend(buffer, bytes, MPI_BYTE, to[d].down, 0, grid, &pending[count++]);
    MPI_Isend(buffer, bytes, MPI_BYTE, to[d].up, 1, grid, &pending[count++]);
  }
  if (gigaflop > 0) smpi_execute_flops(1e9 * gigaflop);
  MPI_Waitall(count, pending, MPI_STATUSES_IGNORE);
}

/// Starts at equal simulated times; a barrier would skew them.
static void sleep_until(double when) {
  const double left = when - MPI_Wtime();
  const time_t whole = (time_t)left;
  const struct timespec time = {.tv_sec = whole, .tv_nsec = (long)((left - (double)whole) * 1e9)};
  nanosleep(&time, NULL);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int dimensions = 0;
  int extents[most_dimensions];
  int periodic[most_dimensions];
  for (char* text = argv[1]; dimensions < most_dimensions; ++text) {
    extents[dimensions] = (int)strtol(text, &text, 10);
    periodic[dimensions++] = 1;
    if (*text != 'x') break;
  }
  MPI_Comm grid;
  MPI_Cart_create(MPI_COMM_WORLD, dimensions, extents, periodic, 0, &grid);
  neighbours to[most_dimensions];
  for (int d = 0; d < dimensions; ++d) MPI_Cart_shift(grid, d, 1, &to[d].down, &to[d].up);
  int rank = 0;
  MPI_Comm_rank(grid, &rank);

  // One unused buffer, since ranks share static variables.
  static char* buffer;
  if (rank == 0) buffer = SMPI_SHARED_MALLOC(most_bytes);
  MPI_Barrier(grid);

  const int is_blocking = strcmp(argv[2], "blocking") == 0;
  const double gigaflop = strtod(argv[2], NULL);
  double seconds[most_sizes];
  const int sizes = argc - 3;
  for (int i = 0; i < sizes; ++i) {
    const double begin = i + 1;
    sleep_until(begin);
    if (is_blocking) {
      exchange_blocking(to, dimensions, buffer, atoi(argv[3 + i]), grid);
    } else {
      exchange_free(to, dimensions, buffer, atoi(argv[3 + i]), grid, gigaflop);
    }
    seconds[i] = MPI_Wtime() - begin;
  }
  double slowest[most_sizes];
  MPI_Reduce(seconds, slowest, sizes, MPI_DOUBLE, MPI_MAX, 0, grid);
  for (int i = 0; rank == 0 && i < sizes; ++i) {
    printf("%s\"%s\": %.9g%s", i == 0 ? "{" : ", ", argv[3 + i], slowest[i],
           i + 1 == sizes ? "}\n" : "");
  }
  if (rank == 0) SMPI_SHARED_FREE(buffer);
  MPI_Finalize();
  return 0;
}
