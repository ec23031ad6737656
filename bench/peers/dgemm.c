/* SPDX-License-Identifier: BSD-3-Clause */
/* BLAS products in one process: best milliseconds, as JSON.
 *
 *     OPENBLAS_NUM_THREADS=2 dgemm [ROWS [COLUMNS [INNER [TIMES]]]] */
#define _POSIX_C_SOURCE 200112L
#include <cblas.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double* make(size_t elements) {
  double* const made = aligned_alloc(64, (elements * sizeof(double) + 63) / 64 * 64);
  for (size_t i = 0; i < elements; ++i) made[i] = rand() / (double)RAND_MAX - 0.5;
  return made;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

int main(int argc, char** argv) {
  const int m = argc > 1 ? atoi(argv[1]) : 2048;
  const int n = argc > 2 ? atoi(argv[2]) : m;
  const int k = argc > 3 ? atoi(argv[3]) : m;
  const int times = argc > 4 ? atoi(argv[4]) : 3;
  double* const a = make((size_t)m * (size_t)k);
  double* const b = make((size_t)k * (size_t)n);
  double* const c = make((size_t)m * (size_t)n);
  double best = 0;
  for (int i = 0; i <= times; ++i) {
    const double begin = now();
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1, a, k, b, n, 0, c, n);
    const double spent = now() - begin;
    if (i == 1 || (i > 1 && spent < best)) best = spent;
  }
  printf("{\"ms\": %.3f}\n", best);
  return 0;
}
