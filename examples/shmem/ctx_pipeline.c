/* SPDX-License-Identifier: BSD-3-Clause */
/* Pipelined ring reduction. Two contexts alternate: a piece is transferred while the next is added.
 */
#include <shmem.h>
#include <stdio.h>

enum { pieces = 6, piece = 50, count = pieces * piece };

static long mine[count], passing[count];
static uint64_t arrived;

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  const int pes = shmem_n_pes();
  const int next = (me + 1) % pes;
  for (int i = 0; i < count; ++i) mine[i] = (long)i * (me + 1);

  shmem_ctx_t contexts[2];
  for (int i = 0; i < 2; ++i) {
    if (shmem_ctx_create(0, &contexts[i]) != 0) shmem_global_exit(1);
  }
  shmem_barrier_all();
  for (int p = 0; p < pieces; ++p) {
    long* const here = passing + (long)p * piece;
    if (me > 0) shmem_signal_wait_until(&arrived, SHMEM_CMP_GE, (uint64_t)p + 1);
    for (int i = 0; i < piece; ++i) here[i] = (me > 0 ? here[i] : 0) + mine[p * piece + i];
    if (me < pes - 1) {
      const shmem_ctx_t context = contexts[p % 2];
      shmem_ctx_quiet(context); /* completes the piece p - 2, sent in this context */
      shmem_ctx_long_put_signal_nbi(context, here, here, piece, &arrived, 1, SHMEM_SIGNAL_ADD,
                                    next);
    }
  }
  for (int i = 0; i < 2; ++i) shmem_ctx_destroy(contexts[i]);

  if (me == pes - 1) {
    const long factor = (long)pes * (pes + 1) / 2;
    for (int i = 0; i < count; ++i) {
      if (passing[i] != i * factor) {
        fprintf(stderr, "element %d is %ld\n", i, passing[i]);
        shmem_global_exit(1);
      }
    }
    printf("PE %d has all sums: the last is %ld\n", me, passing[count - 1]);
  }
  shmem_finalize();
  return 0;
}
