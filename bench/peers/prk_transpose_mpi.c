/* SPDX-License-Identifier: BSD-3-Clause */
/* PRK transposition in MPI: row blocks, packed tiles, nonblocking exchange.
 *
 *     mpirun -n 2 prk_transpose_mpi [ITERATIONS [ORDER]]         (ORDER a multiple of the ranks) */
#define _GNU_SOURCE
#include "mpi_blocks.h"

#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { tile = 32 };

static int rank, size, order, rows;
static double *a, *b, *packed, *come;
static MPI_Request* requests;

static int least(int x, int y) { return x < y ? x : y; }

/* to(j, i) = from(i, j), or +=; increments `from`. */
static void turn_block(double* restrict from, double* restrict to, int line, int adds) {
  for (int i = 0; i < rows; i += tile) {
    for (int j = 0; j < rows; j += tile) {
      for (int jj = j; jj < least(rows, j + tile); ++jj) {
        double* const target = to + (size_t)jj * (size_t)line;
        for (int ii = i; ii < least(rows, i + tile); ++ii) {
          double* const source = from + (size_t)ii * (size_t)order + jj;
          target[ii] = (adds ? target[ii] : 0) + *source;
          *source += 1;
        }
      }
    }
  }
}

static void iterate(void) {
  const size_t block = (size_t)rows * (size_t)rows;
  for (int phase = 1; phase < size; ++phase) {
    MPI_Irecv(come + block * (size_t)(phase - 1), (int)block, MPI_DOUBLE, (rank + phase) % size, 0,
              MPI_COMM_WORLD, &requests[phase - 1]);
  }
  for (int phase = 1; phase < size; ++phase) {
    const int to = (rank - phase + size) % size;
    double* const here = packed + block * (size_t)(phase - 1);
    turn_block(a + (size_t)to * (size_t)rows, here, rows, 0);
    MPI_Isend(here, (int)block, MPI_DOUBLE, to, 0, MPI_COMM_WORLD, &requests[size - 2 + phase]);
  }
  turn_block(a + (size_t)rank * (size_t)rows, b + (size_t)rank * (size_t)rows, order, 1);
  for (int left = 1; left < size; ++left) {
    int which;
    MPI_Waitany(size - 1, requests, &which, MPI_STATUS_IGNORE);
    const double* restrict from = come + block * (size_t)which;
    double* restrict to = b + (size_t)((rank + which + 1) % size) * (size_t)rows;
    for (int i = 0; i < rows; ++i) {
      for (int j = 0; j < rows; ++j) {
        to[(size_t)i * (size_t)order + (size_t)j] += from[(size_t)i * (size_t)rows + (size_t)j];
      }
    }
  }
  MPI_Waitall(size - 1, requests + size - 1, MPI_STATUSES_IGNORE);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int iterations = argc > 1 ? atoi(argv[1]) : 100;
  order = argc > 2 ? atoi(argv[2]) : 1000;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  rows = order / size;
  const size_t own = (size_t)rows * (size_t)order;
  a = allocate(own);
  b = allocate(own);
  packed = allocate(own);
  come = allocate(own);
  requests = malloc(2 * (size_t)size * sizeof(*requests));
  const size_t first = (size_t)rank * own;
  for (size_t i = 0; i < own; ++i) a[i] = (double)(first + i);
  iterate();
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  for (int i = 0; i < iterations; ++i) iterate();
  double spent = (MPI_Wtime() - begin) * 1e3 / iterations;
  MPI_Allreduce(MPI_IN_PLACE, &spent, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  double error = 0;
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < order; ++j) {
      const double original = (double)j * order + (double)rank * rows + i;
      error += fabs(b[(size_t)i * (size_t)order + (size_t)j] -
                    (iterations + 1.0) * (original + iterations / 2.0));
    }
  }
  MPI_Allreduce(MPI_IN_PLACE, &error, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  if (error > 1e-8) {
    fprintf(stderr, "the transposed matrix is wrong by %g\n", error);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  if (rank == 0) printf("{\"ms\": %.4f}\n", spent);
  MPI_Finalize();
  return 0;
}
