/* SPDX-License-Identifier: BSD-3-Clause */
/* A barrier completes all earlier puts: cellular automaton on a ring. */
#include <shmem.h>
#include <stdio.h>

enum { rounds = 20 };

static int cell[2], left[2], right[2]; /* one element each for even and odd rounds */

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  const int pes = shmem_n_pes();
  cell[0] = me == 0;
  long births = 0;
  for (int round = 0; round < rounds; ++round) {
    const int now = round % 2;
    shmem_int_p(&right[now], cell[now], (me + pes - 1) % pes);
    shmem_int_p(&left[now], cell[now], (me + 1) % pes);
    shmem_barrier_all();
    cell[1 - now] = left[now] ^ right[now]; /* alive if exactly one neighbour is */
    births += cell[1 - now];
  }

  /* Serial reference. */
  static int ring[2][1024];
  ring[0][0] = 1;
  long expected = 0;
  for (int round = 0; round < rounds; ++round) {
    const int* const old = ring[round % 2];
    int* const new = ring[1 - round % 2];
    for (int i = 0; i < pes; ++i) new[i] = old[(i + pes - 1) % pes] ^ old[(i + 1) % pes];
    expected += new[me];
  }
  printf("PE %d was alive in %ld of %d rounds\n", me, births, rounds);
  if (births != expected) shmem_global_exit(1);
  shmem_finalize();
  return 0;
}
