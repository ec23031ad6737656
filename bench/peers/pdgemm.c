/* Products of matrices by ScaLAPACK's pdgemm, on a grid of ranks as square as it can be. Prints the
 * best milliseconds of several, of the slowest rank, as JSON.
 *
 *     OPENBLAS_NUM_THREADS=1 mpirun -n 4 pdgemm [N [BLOCK [TIMES]]]                       */
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

static double* make(size_t elements, unsigned seed) {
  double* const made = aligned_alloc(64, (elements * sizeof(double) + 63) / 64 * 64);
  srand(seed);
  for (size_t i = 0; i < elements; ++i) made[i] = rand() / (double)RAND_MAX - 0.5;
  return made;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int n = argc > 1 ? atoi(argv[1]) : 2048;
  const int block = argc > 2 ? atoi(argv[2]) : 128;
  const int times = argc > 3 ? atoi(argv[3]) : 3;
  int rank, size, grid[2] = {0, 0}, context, row, column, info;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Dims_create(size, 2, grid);
  Cblacs_get(-1, 0, &context);
  Cblacs_gridinit(&context, "Row", grid[0], grid[1]);
  Cblacs_gridinfo(context, &grid[0], &grid[1], &row, &column);
  const int zero = 0, one = 1;
  const int rows = numroc_(&n, &block, &row, &zero, &grid[0]);
  const int columns = numroc_(&n, &block, &column, &zero, &grid[1]);
  const size_t elements = (size_t)rows * (size_t)columns;
  double* const a = make(elements, 2 * (unsigned)rank);
  double* const b = make(elements, 2 * (unsigned)rank + 1);
  double* const c = make(elements, 0);
  int lies[9];
  descinit_(lies, &n, &n, &block, &block, &zero, &zero, &context, &rows, &info);
  const double factor = 1, nothing = 0;
  double best = 0;
  for (int i = 0; i <= times; ++i) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    pdgemm_("N", "N", &n, &n, &n, &factor, a, &one, &one, lies, b, &one, &one, lies, &nothing, c,
            &one, &one, lies);
    double spent = (MPI_Wtime() - begin) * 1e3;
    MPI_Allreduce(MPI_IN_PLACE, &spent, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (i == 1 || (i > 1 && spent < best)) best = spent;
  }
  if (rank == 0) printf("{\"ms\": %.3f}\n", best);
  MPI_Finalize();
  return 0;
}
