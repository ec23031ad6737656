/* SPDX-License-Identifier: BSD-3-Clause */
/* Waits for a signal and returns its value: PE 0 counts the arrived batches. */
#include <shmem.h>
#include <stdio.h>

enum { batches = 10, batch = 16 };

static uint64_t arrived;

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  const int pes = shmem_n_pes();
  int* const store = shmem_calloc((size_t)pes * batches * batch, sizeof *store);

  int goods[batch];
  for (int i = 0; i < batch; ++i) goods[i] = 1;
  for (int i = 0; i < batches; ++i) {
    shmem_int_put_signal(store + (me * batches + i) * batch, goods, batch, &arrived, 1,
                         SHMEM_SIGNAL_ADD, 0);
  }
  if (me == 0) {
    uint64_t known = 0;
    while (known < (uint64_t)pes * batches) {
      const uint64_t now = shmem_signal_wait_until(&arrived, SHMEM_CMP_GT, known);
      if (now <= known || now > (uint64_t)pes * batches) shmem_global_exit(1);
      known = now;
    }
    int goods_in_all = 0;
    for (int i = 0; i < pes * batches * batch; ++i) goods_in_all += store[i];
    printf("%d batches, %d goods\n", (int)known, goods_in_all);
    if (goods_in_all != pes * batches * batch) shmem_global_exit(1);
  }
  shmem_free(store); /* collective */
  shmem_finalize();
  return 0;
}
