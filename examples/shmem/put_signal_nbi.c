/* SPDX-License-Identifier: BSD-3-Clause */
/* All-to-all puts; each increments the receiver's signal. */
#include <shmem.h>
#include <stdio.h>

enum { count = 100 };

static uint64_t arrived;

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  const int pes = shmem_n_pes();
  int* const table = shmem_malloc((size_t)pes * count * sizeof *table);
  int row[count];
  for (int i = 0; i < count; ++i) row[i] = me * count + i;

  for (int i = 1; i <= pes; ++i) {
    shmem_int_put_signal_nbi(table + me * count, row, count, &arrived, 1, SHMEM_SIGNAL_ADD,
                             (me + i) % pes);
  }
  shmem_signal_wait_until(&arrived, SHMEM_CMP_EQ, (uint64_t)pes);
  for (int i = 0; i < pes * count; ++i) {
    if (table[i] != i) {
      fprintf(stderr, "PE %d: element %d is %d\n", me, i, table[i]);
      shmem_global_exit(1);
    }
  }
  if (me == 0) printf("a table of %d rows\n", pes);
  shmem_quiet(); /* the source is on the stack */
  shmem_free(table);
  shmem_finalize();
  return 0;
}
