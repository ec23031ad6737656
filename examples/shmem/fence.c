/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem_fence orders puts to each PE without waiting. */
#include <shmem.h>
#include <stdio.h>

enum { count = 300, letters = 20 };

static int letter[letters][count];
static int flag;

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  const int pes = shmem_n_pes();
  const int next = (me + 1) % pes, previous = (me + pes - 1) % pes;
  int text[letters][count];
  for (int i = 0; i < letters; ++i) {
    for (int j = 0; j < count; ++j) text[i][j] = 1 + me + i + j;
    shmem_int_put_nbi(letter[i], text[i], count, next);
    shmem_fence();
    shmem_int_p(&flag, i + 1, next);
    shmem_fence();
  }
  for (int i = 0; i < letters; ++i) {
    shmem_int_wait_until(&flag, SHMEM_CMP_GT, i);
    for (int j = 0; j < count; ++j) {
      if (letter[i][j] != 1 + previous + i + j) {
        fprintf(stderr, "PE %d: letter %d, element %d is %d\n", me, i, j, letter[i][j]);
        shmem_global_exit(1);
      }
    }
  }
  if (me == 0) printf("%d letters were read after their flags\n", letters);
  shmem_finalize();
  return 0;
}
