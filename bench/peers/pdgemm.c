/* SPDX-License-Identifier: BSD-3-Clause */
/* Products by ScaLAPACK's pdgemm on a nearly square rank grid, or GRID=ROWSxCOLUMNS.
 *
 *     OPENBLAS_NUM_THREADS=1 mpirun -n 4 pdgemm [ROWS [COLUMNS [INNER [BLOCK [TIMES]]]]] */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

void Cblacs_get(int context, int what, int* value);
void Cblacs_gridinit(int* context, const char* order, int rows, int columns);
void Cblacs_gridinfo(int context, int* rows, int* columns, int* row, int* column);
int numroc_(const int* n, const int* block, const int* at, const int* first, const int* parts);
void descinit_(int* descriptor, const int* m, const int* n, const int* mb, const int* nb,
               const int* row, const int* column, const int* context, const int* line, int* info);
void pdgemm_(const char* ta, const char* tb, const int* m, const int* n, const int* k,
             const double* alpha, const double* a, const int* ia, const int* ja, const int* da,
             const double* b, const int* ib, const int* jb, const int* db, const double* beta,
             double* c, const int* ic, const int* jc, const int* dc);

static double* make(int rows, int columns, int block, int context, unsigned seed, int* lies) {
  int grid[2], row, column, info;
  const int zero = 0;
  Cblacs_gridinfo(context, &grid[0], &grid[1], &row, &column);
  const int own_rows = numroc_(&rows, &block, &row, &zero, &grid[0]);
  const int own_columns = numroc_(&columns, &block, &column, &zero, &grid[1]);
  const int line = own_rows > 0 ? own_rows : 1;
  descinit_(lies, &rows, &columns, &block, &block, &zero, &zero, &context, &line, &info);
  const size_t elements = (size_t)own_rows * (size_t)own_columns;
  double* const made = aligned_alloc(64, (elements * sizeof(double) + 127) / 64 * 64);
  srand(seed);
  for (size_t i = 0; i < elements; ++i) made[i] = rand() / (double)RAND_MAX - 0.5;
  return made;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int m = argc > 1 ? atoi(argv[1]) : 2048;
  const int n = argc > 2 ? atoi(argv[2]) : m;
  const int k = argc > 3 ? atoi(argv[3]) : m;
  const int block = argc > 4 ? atoi(argv[4]) : 128;
  const int times = argc > 5 ? atoi(argv[5]) : 3;
  int rank, size, grid[2] = {0, 0}, context;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (getenv("GRID") == NULL || sscanf(getenv("GRID"), "%dx%d", &grid[0], &grid[1]) != 2) {
    MPI_Dims_create(size, 2, grid);
  }
  Cblacs_get(-1, 0, &context);
  Cblacs_gridinit(&context, "Row", grid[0], grid[1]);
  const int one = 1;
  int of_a[9], of_b[9], of_c[9];
  double* const a = make(m, k, block, context, 2 * (unsigned)rank, of_a);
  double* const b = make(k, n, block, context, 2 * (unsigned)rank + 1, of_b);
  double* const c = make(m, n, block, context, 0, of_c);
  const double factor = 1, nothing = 0;
  double best = 0;
  for (int i = 0; i <= times; ++i) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    pdgemm_("N", "N", &m, &n, &k, &factor, a, &one, &one, of_a, b, &one, &one, of_b, &nothing, c,
            &one, &one, of_c);
    double spent = (MPI_Wtime() - begin) * 1e3;
    MPI_Allreduce(MPI_IN_PLACE, &spent, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (i == 1 || (i > 1 && spent < best)) best = spent;
  }
  if (rank == 0) printf("{\"ms\": %.3f}\n", best);
  MPI_Finalize();
  return 0;
}
