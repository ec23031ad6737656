/* SPDX-License-Identifier: BSD-3-Clause */
/* PRK stencil in MPI: Cartesian grid, ghost cells, packed columns, with and without overlap.
 *
 *     cc -DRADIUS=2 …; mpirun -n 2 prk_stencil_mpi [ITERATIONS [ORDER]] */
#define _GNU_SOURCE
#include "mpi_blocks.h"

#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef RADIUS
#define RADIUS 2
#endif

static MPI_Comm cart;
static int order, extents[2], first[2], beside[2][2];
static size_t line;
static double *in, *out, *sent[2], *received[2];

static double* at(double* of, int i, int j) {
  return of + (size_t)(i + RADIUS) * line + (size_t)(j + RADIUS);
}

static MPI_Request requests[8];
static int request_count;
static MPI_Datatype rows;

static void begin_exchange(void) {
  request_count = 0;
  for (int side = 0; side < 2; ++side) {
    if (beside[0][side] != MPI_PROC_NULL) {
      MPI_Irecv(at(in, side == 0 ? -RADIUS : extents[0], 0), 1, rows, beside[0][side], 1 - side,
                cart, &requests[request_count++]);
    }
    if (beside[1][side] != MPI_PROC_NULL) {
      MPI_Irecv(received[side], extents[0] * RADIUS, MPI_DOUBLE, beside[1][side], 3 - side, cart,
                &requests[request_count++]);
    }
  }
  for (int side = 0; side < 2; ++side) {
    if (beside[0][side] != MPI_PROC_NULL) {
      MPI_Isend(at(in, side == 0 ? 0 : extents[0] - RADIUS, 0), 1, rows, beside[0][side], side,
                cart, &requests[request_count++]);
    }
    if (beside[1][side] != MPI_PROC_NULL) {
      double* to = sent[side];
      for (int i = 0; i < extents[0]; ++i) {
        const double* from = at(in, i, side == 0 ? 0 : extents[1] - RADIUS);
        for (int j = 0; j < RADIUS; ++j) *to++ = from[j];
      }
      MPI_Isend(sent[side], extents[0] * RADIUS, MPI_DOUBLE, beside[1][side], 2 + side, cart,
                &requests[request_count++]);
    }
  }
}

static void end_exchange(void) {
  MPI_Waitall(request_count, requests, MPI_STATUSES_IGNORE);
  for (int side = 0; side < 2; ++side) {
    if (beside[1][side] == MPI_PROC_NULL) continue;
    const double* from = received[side];
    for (int i = 0; i < extents[0]; ++i) {
      double* to = at(in, i, side == 0 ? -RADIUS : extents[1]);
      for (int j = 0; j < RADIUS; ++j) to[j] = *from++;
    }
  }
}

/* Updates own points whose star is inside the square. */
static void work_on(const int begin[2], const int end[2]) {
  int from[2], to[2];
  for (int d = 0; d < 2; ++d) {
    from[d] = begin[d] > RADIUS - first[d] ? begin[d] : RADIUS - first[d];
    to[d] = end[d] < order - RADIUS - first[d] ? end[d] : order - RADIUS - first[d];
  }
  for (int i = from[0]; i < to[0]; ++i) {
    const double* restrict u = at(in, i, 0);
    double* restrict sum = out + (size_t)i * (size_t)extents[1];
    for (int j = from[1]; j < to[1]; ++j) {
      double value = sum[j];
#pragma GCC unroll 4
      for (int r = 1; r <= RADIUS; ++r) {
        value += (u[j + r] - u[j - r] + u[j + r * (long)line] - u[j - r * (long)line]) *
                 (1.0 / (2.0 * r * RADIUS));
      }
      sum[j] = value;
    }
  }
}

static void add_one(void) {
  for (int i = 0; i < extents[0]; ++i) {
    double* row = at(in, i, 0);
    for (int j = 0; j < extents[1]; ++j) row[j] += 1;
  }
}

static void iterate_in_turn(void) {
  const int begin[2] = {0, 0};
  begin_exchange();
  end_exchange();
  work_on(begin, extents);
  add_one();
}

static void iterate_overlapped(void) {
  int begin[2], end[2];
  begin_exchange();
  for (int d = 0; d < 2; ++d) {
    begin[d] = beside[d][0] != MPI_PROC_NULL ? RADIUS : 0;
    end[d] = extents[d] - (beside[d][1] != MPI_PROC_NULL ? RADIUS : 0);
  }
  work_on(begin, end);
  end_exchange();
  const int parts[4][4] = {{0, 0, begin[0], extents[1]},
                           {end[0], 0, extents[0], extents[1]},
                           {begin[0], 0, end[0], begin[1]},
                           {begin[0], end[1], end[0], extents[1]}};
  for (int p = 0; p < 4; ++p) work_on(parts[p], parts[p] + 2);
  add_one();
}

static double milliseconds(int iterations, void (*iterate)(void)) {
  MPI_Barrier(cart);
  const double begin = MPI_Wtime();
  for (int i = 0; i < iterations; ++i) iterate();
  double spent = (MPI_Wtime() - begin) * 1e3 / iterations;
  MPI_Allreduce(MPI_IN_PLACE, &spent, 1, MPI_DOUBLE, MPI_MAX, cart);
  return spent;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int iterations = argc > 1 ? atoi(argv[1]) : 100;
  order = argc > 2 ? atoi(argv[2]) : 1000;
  int size, rank, parts[2] = {0, 0}, periods[2] = {0, 0}, place[2];
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Dims_create(size, 2, parts);
  MPI_Cart_create(MPI_COMM_WORLD, 2, parts, periods, 1, &cart);
  MPI_Comm_rank(cart, &rank);
  MPI_Cart_coords(cart, rank, 2, place);
  for (int d = 0; d < 2; ++d) {
    MPI_Cart_shift(cart, d, 1, &beside[d][0], &beside[d][1]);
    own_part(order, parts[d], place[d], &first[d], &extents[d]);
  }
  line = (size_t)extents[1] + 2 * RADIUS;
  in = allocate(line * ((size_t)extents[0] + 2 * RADIUS));
  out = allocate((size_t)extents[0] * (size_t)extents[1]);
  for (int side = 0; side < 2; ++side) {
    sent[side] = allocate((size_t)extents[0] * RADIUS);
    received[side] = allocate((size_t)extents[0] * RADIUS);
  }
  MPI_Type_vector(RADIUS, extents[1], (int)line, MPI_DOUBLE, &rows);
  MPI_Type_commit(&rows);
  for (int i = 0; i < extents[0]; ++i) {
    for (int j = 0; j < extents[1]; ++j) *at(in, i, j) = first[0] + i + first[1] + j;
  }
  iterate_in_turn();
  const double plain = milliseconds(iterations, iterate_in_turn);
  const double together = milliseconds(iterations, iterate_overlapped);
  double norm = 0;
  for (size_t i = 0; i < (size_t)extents[0] * (size_t)extents[1]; ++i) norm += fabs(out[i]);
  MPI_Allreduce(MPI_IN_PLACE, &norm, 1, MPI_DOUBLE, MPI_SUM, cart);
  norm /= (double)(order - 2 * RADIUS) * (order - 2 * RADIUS);
  if (fabs(norm - 2.0 * (2 * iterations + 1)) > 1e-8 * norm) {
    fprintf(stderr, "the norm is wrong: %g\n", norm);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  if (rank == 0) printf("{\"ms\": %.4f, \"overlapped_ms\": %.4f}\n", plain, together);
  MPI_Finalize();
  return 0;
}
