// SPDX-License-Identifier: BSD-3-Clause
// Counts the ranks that MPI_Cart_create renumbers with reorder=1.
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int extents[3] = {0, 0, 0};
  const int periodic[3] = {1, 1, 1};
  MPI_Dims_create(ranks, 3, extents);
  MPI_Comm grid;
  MPI_Cart_create(MPI_COMM_WORLD, 3, extents, periodic, 1, &grid);
  int before = 0;
  int after = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &before);
  MPI_Comm_rank(grid, &after);
  const int differs = before != after;
  int moved = 0;
  MPI_Reduce(&differs, &moved, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (before == 0) printf("%d of %d ranks moved\n", moved, ranks);
  MPI_Finalize();
  return 0;
}
