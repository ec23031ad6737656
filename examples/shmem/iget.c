/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads columns of a row-major matrix into contiguous arrays: a transposition. */
#include <shmem.h>
#include <stdio.h>

enum { rows = 3, columns = 4 };

static int matrix[rows][columns];

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  const int next = (me + 1) % shmem_n_pes();
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) matrix[i][j] = 100 * me + 10 * i + j;
  }
  shmem_barrier_all();

  int transposed[columns][rows];
  for (int j = 0; j < columns; ++j) {
    shmem_int_iget(transposed[j], &matrix[0][j], 1, columns, rows, next);
  }
  for (int j = 0; j < columns; ++j) {
    for (int i = 0; i < rows; ++i) {
      if (transposed[j][i] != 100 * next + 10 * i + j) {
        fprintf(stderr, "PE %d: row %d, column %d is %d\n", me, j, i, transposed[j][i]);
        shmem_global_exit(1);
      }
    }
  }
  if (me == 0) printf("a matrix of %d x %d came over as %d x %d\n", rows, columns, columns, rows);
  shmem_finalize();
  return 0;
}
