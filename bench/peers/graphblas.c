// SPDX-License-Identifier: BSD-3-Clause
// Graph products and searches with SuiteSparse:GraphBLAS, for comparison with acre-graph.
//
//     graphblas EDGES SCALE THREADS square|product|bfs TIMES SEED
//
// EDGES is a file of `acre-graph edges`: two 64-bit numbers per edge, symmetrised here, without
// loops and duplicates. Searches use Beamer's rules.
#include <GraphBLAS.h>

#include "split_mix.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void must(GrB_Info status, int line) {
  if (status == GrB_SUCCESS || status == GrB_NO_VALUE) return;
  fprintf(stderr, "graphblas.c:%d: status %d\n", line, (int)status);
  exit(1);
}
#define MUST(call) must(call, __LINE__)

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static GrB_Matrix read_graph(const char* path, uint64_t vertices) {
  FILE* file = fopen(path, "rb");
  if (file == NULL) exit(2);
  fseek(file, 0, SEEK_END);
  const size_t edges = (size_t)ftell(file) / 16;
  rewind(file);
  uint64_t* pairs = malloc(edges * 16);
  GrB_Index* rows = malloc(edges * 16);
  GrB_Index* columns = malloc(edges * 16);
  bool* values = malloc(edges * 2);
  if (fread(pairs, 16, edges, file) != edges) exit(2);
  fclose(file);
  size_t count = 0;
  for (size_t i = 0; i < edges; ++i) {
    const uint64_t from = pairs[2 * i], to = pairs[2 * i + 1];
    if (from == to) continue;
    rows[count] = from, columns[count] = to, values[count++] = true;
    rows[count] = to, columns[count] = from, values[count++] = true;
  }
  GrB_Matrix graph;
  MUST(GrB_Matrix_new(&graph, GrB_BOOL, vertices, vertices));
  MUST(GrB_Matrix_build_BOOL(graph, rows, columns, values, count, GrB_LOR));
  MUST(GrB_wait(graph, GrB_MATERIALIZE));
  free(pairs), free(rows), free(columns), free(values);
  return graph;
}

static GrB_Matrix numbered(GrB_Matrix graph, uint64_t vertices) {
  GrB_Index count;
  MUST(GrB_Matrix_nvals(&count, graph));
  GrB_Index* rows = malloc(count * 8);
  GrB_Index* columns = malloc(count * 8);
  bool* trues = malloc(count);
  double* values = malloc(count * 8);
  MUST(GrB_Matrix_extractTuples_BOOL(rows, columns, trues, &count, graph));
  for (size_t i = 0; i < count; ++i) values[i] = (double)((rows[i] * 3 + columns[i] * 5) % 8 + 1);
  GrB_Matrix numbers;
  MUST(GrB_Matrix_new(&numbers, GrB_FP64, vertices, vertices));
  MUST(GrB_Matrix_build_FP64(numbers, rows, columns, values, count, GrB_PLUS_FP64));
  MUST(GrB_wait(numbers, GrB_MATERIALIZE));
  free(rows), free(columns), free(trues), free(values);
  return numbers;
}

static double time_square(GrB_Matrix a, GrB_Type type, GrB_Semiring over, uint64_t vertices,
                          int times, GrB_Index* entries) {
  double least = INFINITY;
  for (int i = 0; i < times; ++i) {
    GrB_Matrix c;
    MUST(GrB_Matrix_new(&c, type, vertices, vertices));
    const double begin = now();
    MUST(GrB_mxm(c, NULL, NULL, over, a, a, NULL));
    MUST(GrB_wait(c, GrB_MATERIALIZE));
    least = fmin(least, now() - begin);
    MUST(GrB_Matrix_nvals(entries, c));
    MUST(GrB_Matrix_free(&c));
  }
  return least;
}

static void square(GrB_Matrix graph, uint64_t vertices, int times) {
  GrB_Index entries, same;
  GrB_Matrix numbers = numbered(graph, vertices);
  const double plus_times =
      time_square(numbers, GrB_FP64, GrB_PLUS_TIMES_SEMIRING_FP64, vertices, times, &entries);
  MUST(GrB_Matrix_free(&numbers));
  const double plus_pair =
      time_square(graph, GrB_INT64, GxB_PLUS_PAIR_INT64, vertices, times, &same);
  printf("{\"entries_of_product\": %lu, \"plus_times_s\": %.4f, \"plus_pair_s\": %.4f}\n",
         (unsigned long)entries, plus_times, plus_pair);
}

static void product(GrB_Matrix graph, uint64_t vertices, int times) {
  GrB_Matrix a = numbered(graph, vertices);
  GrB_Vector x, y;
  MUST(GrB_Vector_new(&x, GrB_FP64, vertices));
  MUST(GrB_Vector_new(&y, GrB_FP64, vertices));
  for (uint64_t i = 0; i < vertices; ++i) {
    MUST(GrB_Vector_setElement_FP64(x, (double)(i % 16 + 1), i));
  }
  MUST(GrB_wait(x, GrB_MATERIALIZE));
  double least = INFINITY;
  for (int i = 0; i < times; ++i) {
    const double begin = now();
    MUST(GrB_mxv(y, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, a, x, NULL));
    MUST(GrB_wait(y, GrB_MATERIALIZE));
    least = fmin(least, now() - begin);
  }
  printf("{\"product_ms\": %.4f}\n", least * 1e3);
}

static int search(GrB_Vector* parents, GrB_Matrix graph, GrB_Vector degrees, uint64_t vertices,
                  uint64_t root, GrB_Index all_edges) {
  GrB_Vector frontier, its_degrees;
  MUST(GrB_Vector_new(parents, GrB_INT64, vertices));
  MUST(GxB_Vector_Option_set(*parents, GxB_SPARSITY_CONTROL, GxB_BITMAP + GxB_FULL));
  MUST(GrB_Vector_new(&frontier, GrB_INT64, vertices));
  MUST(GrB_Vector_new(&its_degrees, GrB_INT64, vertices));
  MUST(GrB_Vector_setElement_INT64(*parents, (int64_t)root, root));
  MUST(GrB_Vector_setElement_INT64(frontier, (int64_t)root, root));
  GrB_Index size = 1;
  int64_t left = (int64_t)all_edges;
  bool pulls = false;
  int levels = 0;
  for (; size != 0; ++levels) {
    int64_t edges = 0;
    if (!pulls) {  // unused while pulling
      MUST(GrB_Vector_assign(its_degrees, frontier, NULL, degrees, GrB_ALL, vertices, GrB_DESC_RS));
      MUST(GrB_Vector_reduce_INT64(&edges, NULL, GrB_PLUS_MONOID_INT64, its_degrees, NULL));
      left -= edges;
      pulls = edges > left / 14;
    } else {
      pulls = size >= vertices / 24;
    }
    MUST(GxB_Vector_Option_set(frontier, GxB_SPARSITY_CONTROL, pulls ? GxB_BITMAP : GxB_SPARSE));
    if (pulls) {
      MUST(GrB_mxv(frontier, *parents, NULL, GxB_ANY_SECONDI_INT64, graph, frontier, GrB_DESC_RSC));
    } else {
      MUST(GrB_vxm(frontier, *parents, NULL, GxB_ANY_SECONDI_INT64, frontier, graph, GrB_DESC_RSC));
    }
    MUST(GrB_Vector_nvals(&size, frontier));
    if (size == 0) break;
    MUST(GrB_Vector_assign(*parents, frontier, NULL, frontier, GrB_ALL, vertices, GrB_DESC_S));
  }
  MUST(GrB_Vector_free(&frontier));
  MUST(GrB_Vector_free(&its_degrees));
  return levels;
}

static int ascending(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static void searches(GrB_Matrix graph, uint64_t vertices, int times, uint64_t seed) {
  GrB_Vector degrees, ones;
  MUST(GrB_Vector_new(&degrees, GrB_INT64, vertices));
  MUST(GrB_Vector_new(&ones, GrB_INT64, vertices));
  MUST(GrB_Vector_assign_INT64(ones, NULL, NULL, 0, GrB_ALL, vertices, NULL));
  MUST(GrB_mxv(degrees, NULL, NULL, GxB_PLUS_PAIR_INT64, graph, ones, NULL));
  GrB_Index edges;
  MUST(GrB_Matrix_nvals(&edges, graph));
  double* seconds = malloc((size_t)times * sizeof(double));
  int found = 0, levels = 0;
  GrB_Index reached = 0;
  for (uint64_t i = 0; found < times; ++i) {
    const uint64_t root = split_mix(~split_mix(seed) + i) & (vertices - 1);
    int64_t degree = 0;
    if (GrB_Vector_extractElement_INT64(&degree, degrees, root) != GrB_SUCCESS) continue;
    if (degree == 0) continue;
    GrB_Vector parents;
    const double begin = now();
    const int now_levels = search(&parents, graph, degrees, vertices, root, edges);
    seconds[found++] = now() - begin;
    if (now_levels > levels) levels = now_levels;
    GrB_Index now_reached;
    MUST(GrB_Vector_nvals(&now_reached, parents));
    if (now_reached > reached) reached = now_reached;
    MUST(GrB_Vector_free(&parents));
  }
  qsort(seconds, (size_t)times, sizeof(double), ascending);
  printf(
      "{\"roots\": %d, \"levels\": %d, \"reached\": %lu, \"least_ms\": %.4f, \"median_ms\": "
      "%.4f}\n",
      times, levels, (unsigned long)reached, seconds[0] * 1e3, seconds[times / 2] * 1e3);
  free(seconds);
}

int main(int argc, char** argv) {
  if (argc != 7) return 2;
  const uint64_t vertices = UINT64_C(1) << atoi(argv[2]);
  const int times = atoi(argv[5]);
  MUST(GrB_init(GrB_NONBLOCKING));
  MUST(GxB_Global_Option_set(GxB_GLOBAL_NTHREADS, atoi(argv[3])));
  GrB_Matrix graph = read_graph(argv[1], vertices);
  if (strcmp(argv[4], "square") == 0) square(graph, vertices, times);
  if (strcmp(argv[4], "product") == 0) product(graph, vertices, times);
  if (strcmp(argv[4], "bfs") == 0) searches(graph, vertices, times, (uint64_t)atoll(argv[6]));
  MUST(GrB_Matrix_free(&graph));
  MUST(GrB_finalize());
  return 0;
}
