/* SPDX-License-Identifier: BSD-3-Clause */
/* bench/arrays.cpp's box transfers in Global Arrays, with fences for remote completion.
 *
 *     mpirun -n 2 arrays_ga [TIMES] */
#include <ga.h>
#include <macdecls.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static int array, low[3], high[3], stride[2];
static double* memory;

static void get(void) { NGA_Get(array, low, high, memory, stride); }
static void put(void) {
  GA_Init_fence();
  NGA_Put(array, low, high, memory, stride);
  GA_Fence();
}
static void accumulate(void) {
  double one = 1;
  GA_Init_fence();
  NGA_Acc(array, low, high, memory, stride, &one);
  GA_Fence();
}

static double nanoseconds(int times, void (*move)(void)) {
  double best = 1e300;
  for (int run = 0; run < 9; ++run) {
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (int i = 0; i < times; ++i) move();
    clock_gettime(CLOCK_MONOTONIC, &end);
    const double spent =
        (double)(end.tv_sec - begin.tv_sec) * 1e9 + (double)(end.tv_nsec - begin.tv_nsec);
    if (spent / times < best) best = spent / times;
  }
  return best;
}

int main(int argc, char** argv) {
  const int times = argc > 1 ? atoi(argv[1]) : 200;
  static const int boxes[][3] = {{16, 16, 4}, {64, 64, 8}, {100, 100, 50}};
  MPI_Init(&argc, &argv);
  GA_Initialize();
  MA_init(C_DBL, 1 << 20, 1 << 20);
  int extents[3] = {128 * GA_Nnodes(), 128, 64};
  int blocks[3] = {128, 128, 64};
  array = NGA_Create(C_DBL, 3, extents, "boxes", blocks);
  GA_Zero(array);
  memory = calloc(100 * 100 * 50, sizeof(double));
  GA_Sync();
  if (GA_Nodeid() == 0) {
    for (int b = 0; b < 3; ++b) {
      static const int corner[3] = {130, 10, 10};
      for (int d = 0; d < 3; ++d) {
        low[d] = corner[d];
        high[d] = corner[d] + boxes[b][d] - 1;
      }
      stride[0] = boxes[b][1];
      stride[1] = boxes[b][2];
      printf("%s\"%dx%dx%d\": {\"get\": %.0f, \"put\": %.0f, \"accumulate\": %.0f}",
             b == 0 ? "{" : ", ", boxes[b][0], boxes[b][1], boxes[b][2], nanoseconds(times, get),
             nanoseconds(times, put), nanoseconds(times, accumulate));
    }
    printf("}\n");
  }
  GA_Sync();
  GA_Destroy(array);
  GA_Terminate();
  MPI_Finalize();
  return 0;
}
