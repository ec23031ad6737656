/* SPDX-License-Identifier: BSD-3-Clause */
/* bench/heat3d.cpp in MPI: Cartesian grid, ghost cells, packed faces, with and without overlap.
 *
 *     mpirun -n 2 heat3d_mpi [N [STEPS]] */
#define _GNU_SOURCE
#include "mpi_blocks.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double coefficient = 0.1;

static int rank, size;
static MPI_Comm cart;
static int extents[3];
static int first[3];            /* global index of the first own point */
static int beside[3][2];        /* ranks */
static size_t stride0, stride1; /* with ghost cells */
static double* fields[2];
static double *sent[3][2], *received[3][2];

static size_t place(int i, int j, int k) {
  return (size_t)(i + 1) * stride0 + (size_t)(j + 1) * stride1 + (size_t)(k + 1);
}

static void face_box(int d, int begin[3], int end[3], int at) {
  for (int e = 0; e < 3; ++e) {
    begin[e] = 0;
    end[e] = extents[e];
  }
  begin[d] = at;
  end[d] = at + 1;
}

static void pack(const double* restrict field, int d, int at, double* restrict to) {
  int begin[3], end[3];
  face_box(d, begin, end, at);
  for (int i = begin[0]; i < end[0]; ++i) {
    for (int j = begin[1]; j < end[1]; ++j) {
      const double* from = field + place(i, j, begin[2]);
      const int count = end[2] - begin[2];
      for (int k = 0; k < count; ++k) *to++ = from[k];
    }
  }
}

static void unpack(double* restrict field, int d, int at, const double* restrict from) {
  int begin[3], end[3];
  face_box(d, begin, end, at);
  for (int i = begin[0]; i < end[0]; ++i) {
    for (int j = begin[1]; j < end[1]; ++j) {
      double* to = field + place(i, j, begin[2]);
      const int count = end[2] - begin[2];
      for (int k = 0; k < count; ++k) to[k] = *from++;
    }
  }
}

static int face_size(int d) { return extents[0] * extents[1] * extents[2] / extents[d]; }

static MPI_Request requests[12];
static int request_count;

static void begin_exchange(const double* field) {
  request_count = 0;
  for (int d = 0; d < 3; ++d) {
    for (int side = 0; side < 2; ++side) {
      if (beside[d][side] == MPI_PROC_NULL) continue;
      MPI_Irecv(received[d][side], face_size(d), MPI_DOUBLE, beside[d][side], d * 2 + 1 - side,
                cart, &requests[request_count++]);
    }
  }
  for (int d = 0; d < 3; ++d) {
    for (int side = 0; side < 2; ++side) {
      if (beside[d][side] == MPI_PROC_NULL) continue;
      pack(field, d, side == 0 ? 0 : extents[d] - 1, sent[d][side]);
      MPI_Isend(sent[d][side], face_size(d), MPI_DOUBLE, beside[d][side], d * 2 + side, cart,
                &requests[request_count++]);
    }
  }
}

static void end_exchange(double* field) {
  MPI_Waitall(request_count, requests, MPI_STATUSES_IGNORE);
  for (int d = 0; d < 3; ++d) {
    for (int side = 0; side < 2; ++side) {
      if (beside[d][side] == MPI_PROC_NULL) continue;
      unpack(field, d, side == 0 ? -1 : extents[d], received[d][side]);
    }
  }
}

static void work_on(const double* restrict u, double* restrict next, const int begin[3],
                    const int end[3]) {
  for (int i = begin[0]; i < end[0]; ++i) {
    for (int j = begin[1]; j < end[1]; ++j) {
      const double* restrict from = u + place(i, j, 0);
      double* restrict to = next + place(i, j, 0);
      for (int k = begin[2]; k < end[2]; ++k) {
        to[k] = from[k] + coefficient * (from[k - (long)stride0] + from[k + (long)stride0] +
                                         from[k - (long)stride1] + from[k + (long)stride1] +
                                         from[k - 1] + from[k + 1] - 6 * from[k]);
      }
    }
  }
}

static void work_on_all(const double* u, double* next) {
  const int begin[3] = {0, 0, 0};
  work_on(u, next, begin, extents);
}

static void step_in_turn(int step) {
  begin_exchange(fields[step % 2]);
  end_exchange(fields[step % 2]);
  work_on_all(fields[step % 2], fields[1 - step % 2]);
}

static void step_overlapped(int step) {
  double* u = fields[step % 2];
  double* next = fields[1 - step % 2];
  int begin[3], end[3];
  begin_exchange(u);
  for (int d = 0; d < 3; ++d) {
    begin[d] = beside[d][0] != MPI_PROC_NULL ? 1 : 0;
    end[d] = extents[d] - (beside[d][1] != MPI_PROC_NULL ? 1 : 0);
  }
  work_on(u, next, begin, end);
  end_exchange(u);
  int rest_begin[3] = {0, 0, 0};
  int rest_end[3] = {extents[0], extents[1], extents[2]};
  for (int d = 0; d < 3; ++d) {
    int part_begin[3], part_end[3];
    memcpy(part_begin, rest_begin, sizeof(part_begin));
    memcpy(part_end, rest_end, sizeof(part_end));
    part_end[d] = begin[d];
    work_on(u, next, part_begin, part_end);
    part_begin[d] = end[d];
    part_end[d] = rest_end[d];
    work_on(u, next, part_begin, part_end);
    rest_begin[d] = begin[d];
    rest_end[d] = end[d];
  }
}

static void step_exchange(int step) {
  begin_exchange(fields[step % 2]);
  end_exchange(fields[step % 2]);
}

static void step_loop(int step) { work_on_all(fields[step % 2], fields[1 - step % 2]); }

static double milliseconds_a_step(int steps, void (*step)(int)) {
  MPI_Barrier(cart);
  const double begin = MPI_Wtime();
  for (int i = 0; i < steps; ++i) step(i);
  double spent = (MPI_Wtime() - begin) * 1e3 / steps;
  MPI_Allreduce(MPI_IN_PLACE, &spent, 1, MPI_DOUBLE, MPI_MAX, cart);
  return spent;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int n = argc > 1 ? atoi(argv[1]) : 128;
  const int steps = argc > 2 ? atoi(argv[2]) : 200;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int parts[3] = {0, 0, 0}, periods[3] = {0, 0, 0}, at[3];
  MPI_Dims_create(size, 3, parts);
  MPI_Cart_create(MPI_COMM_WORLD, 3, parts, periods, 1, &cart);
  MPI_Comm_rank(cart, &rank);
  MPI_Cart_coords(cart, rank, 3, at);
  for (int d = 0; d < 3; ++d) {
    MPI_Cart_shift(cart, d, 1, &beside[d][0], &beside[d][1]);
    own_part(n, parts[d], at[d], &first[d], &extents[d]);
  }
  stride1 = (size_t)extents[2] + 2;
  stride0 = stride1 * ((size_t)extents[1] + 2);
  for (int i = 0; i < 2; ++i) fields[i] = allocate(stride0 * ((size_t)extents[0] + 2));
  for (int d = 0; d < 3; ++d) {
    for (int side = 0; side < 2; ++side) {
      sent[d][side] = allocate((size_t)face_size(d));
      received[d][side] = allocate((size_t)face_size(d));
    }
  }
  for (int i = 0; i < extents[0]; ++i) {
    for (int j = 0; j < extents[1]; ++j) {
      for (int k = 0; k < extents[2]; ++k) {
        fields[0][place(i, j, k)] =
            ((i + first[0]) * 7 + (j + first[1]) * 5 + (k + first[2]) * 3) % 101;
      }
    }
  }
  for (int i = 0; i < 10; ++i) step_in_turn(i);
  const double plain = milliseconds_a_step(steps, step_in_turn);
  const double together = milliseconds_a_step(steps, step_overlapped);
  const double exchange = milliseconds_a_step(steps, step_exchange);
  const double loop = milliseconds_a_step(steps, step_loop);
  double sum = 0;
  for (int i = 0; i < extents[0]; ++i) {
    for (int j = 0; j < extents[1]; ++j) {
      for (int k = 0; k < extents[2]; ++k) sum += fields[0][place(i, j, k)];
    }
  }
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, cart);
  if (rank == 0) {
    printf(
        "{\"ms\": %.4f, \"overlapped_ms\": %.4f, \"update_ms\": %.4f, \"loop_ms\": %.4f, "
        "\"sum\": %.9g}\n",
        plain, together, exchange, loop, sum);
  }
  MPI_Finalize();
  return 0;
}
