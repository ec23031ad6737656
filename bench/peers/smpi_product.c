// SPDX-License-Identifier: BSD-3-Clause
// Slowest rank's simulated seconds of a matrix product on a square grid, one panel of each factor
// per rank.
//
//     smpi_product 16x16 cannon BYTES      {"alignment": seconds, "step": seconds}
//     smpi_product 16x16 row BYTES         {"reads": seconds}
//     smpi_product 16x16 diagonal BYTES    {"reads": seconds}
//
// "cannon": alignment, then a step, which reads the right and lower neighbours' panels. "row" and
// "diagonal": one-sided reads, one per factor in flight, from the own row or with Cannon's
// alignment. The owner starts a read's send in advance.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct {
  int side, row, column, rank;
  char* buffer;
  int bytes;
} place;

enum factor { left, right };

static int rank_at(const place* at, int row, int column) {
  return row % at->side * at->side + column % at->side;
}

static void receive(const place* at, int from, int tag, MPI_Request* pending) {
  *pending = MPI_REQUEST_NULL;
  if (from == at->rank) return;
  MPI_Irecv(at->buffer, at->bytes, MPI_BYTE, from, tag, MPI_COMM_WORLD, pending);
}

static void offer(const place* at, int to, int tag, MPI_Request* pending) {
  *pending = MPI_REQUEST_NULL;
  if (to == at->rank) return;
  MPI_Isend(at->buffer, at->bytes, MPI_BYTE, to, tag, MPI_COMM_WORLD, pending);
}

/// Starts at equal simulated times; a barrier would skew them.
static double begin_at(double when) {
  const double wait = when - MPI_Wtime();
  const time_t whole = (time_t)wait;
  const struct timespec time = {.tv_sec = whole, .tv_nsec = (long)((wait - (double)whole) * 1e9)};
  nanosleep(&time, NULL);
  return MPI_Wtime();
}

/// Reads A `across` columns to the right, and B `down` rows below.
static void shift(const place* at, int across, int down) {
  const int side = at->side;
  MPI_Request pending[4];
  receive(at, rank_at(at, at->row, at->column + across), left, &pending[0]);
  receive(at, rank_at(at, at->row + down, at->column), right, &pending[1]);
  offer(at, rank_at(at, at->row, at->column + side - across), left, &pending[2]);
  offer(at, rank_at(at, at->row + side - down, at->column), right, &pending[3]);
  MPI_Waitall(4, pending, MPI_STATUSES_IGNORE);
}

/// Reads all panels of row and column, from row (B) and column (A) `first`.
static void read_lines(const place* at, int first) {
  const int side = at->side;
  MPI_Request* offers = malloc(2 * (size_t)side * sizeof *offers);
  for (int i = 0; i < side; ++i) {
    offer(at, rank_at(at, at->row, i), left, &offers[2 * i]);
    offer(at, rank_at(at, i, at->column), right, &offers[2 * i + 1]);
  }
  for (int step = 0; step < side; ++step) {
    MPI_Request pending[2];
    receive(at, rank_at(at, at->row, first + step), left, &pending[0]);
    receive(at, rank_at(at, first + step, at->column), right, &pending[1]);
    MPI_Waitall(2, pending, MPI_STATUSES_IGNORE);
  }
  MPI_Waitall(2 * side, offers, MPI_STATUSES_IGNORE);
  free(offers);
}

static double slowest(double seconds) {
  double most = 0;
  MPI_Reduce(&seconds, &most, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  return most;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  place here = {.side = (int)strtol(argv[1], NULL, 10), .bytes = atoi(argv[3])};
  MPI_Comm_rank(MPI_COMM_WORLD, &here.rank);
  here.row = here.rank / here.side;
  here.column = here.rank % here.side;
  // One unused buffer, since ranks share static variables.
  static char* buffer;
  if (here.rank == 0) buffer = SMPI_SHARED_MALLOC((size_t)here.bytes);
  MPI_Barrier(MPI_COMM_WORLD);
  here.buffer = buffer;

  if (strcmp(argv[2], "cannon") == 0) {
    double begin = begin_at(1);
    shift(&here, here.row, here.column);
    const double alignment = slowest(MPI_Wtime() - begin);
    begin = begin_at(1000);
    shift(&here, 1, 1);
    const double step = slowest(MPI_Wtime() - begin);
    if (here.rank == 0) printf("{\"alignment\": %.9g, \"step\": %.9g}\n", alignment, step);
  } else {
    const int is_diagonal = strcmp(argv[2], "diagonal") == 0;
    const double begin = begin_at(1);
    read_lines(&here, is_diagonal ? here.row + here.column : here.row);
    const double reads = slowest(MPI_Wtime() - begin);
    if (here.rank == 0) printf("{\"reads\": %.9g}\n", reads);
  }
  if (here.rank == 0) SMPI_SHARED_FREE(buffer);
  MPI_Finalize();
  return 0;
}
