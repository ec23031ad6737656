/* SPDX-License-Identifier: BSD-3-Clause */
/* Atomics by names from before 1.4 (deprecated): cswap, swap, finc, inc, fadd, add, fetch, set. */
#include <shmem.h>
#include <stdio.h>

static int tickets, votes, race = -1, guests;
static long log_end, coins, book = 100, seen;

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  const int pes = shmem_n_pes();

  const int ticket = shmem_int_finc(&tickets, 0);
  shmem_int_inc(&votes, 0);
  const long begin = shmem_long_fadd(&log_end, 3, 0);
  shmem_long_add(&coins, 5, 0);
  const int before = shmem_int_cswap(&race, -1, me, 0);
  shmem_long_add(&seen, shmem_long_swap(&book, me, 0), 0);
  shmem_int_set(&guests, me, (me + 1) % pes);
  shmem_barrier_all();

  if (ticket < 0 || ticket >= pes || begin % 3 != 0 || before < -1 || before >= pes ||
      shmem_int_fetch(&guests, me) != (me + pes - 1) % pes) {
    shmem_global_exit(1);
  }
  if (me == 0) {
    printf("%d tickets, %d votes, %ld coins, PE %d first\n", tickets, votes, coins, race);
    if (tickets != pes || votes != pes || log_end != 3 * pes || coins != 5 * pes || race < 0 ||
        seen + book != 100 + pes * (pes - 1) / 2) {
      shmem_global_exit(1);
    }
  }
  shmem_finalize();
  return 0;
}
