/* SPDX-License-Identifier: BSD-3-Clause */
/* Every PE prints its number and writes to its neighbour.
 *
 *   oshcc examples/shmem/hello.c -o hello
 *   oshrun -n 4 ./hello */
#include <shmem.h>
#include <stdio.h>

static int greeted_by = -1; /* static variables are remotely accessible */

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  const int pes = shmem_n_pes();

  shmem_int_p(&greeted_by, me, (me + 1) % pes);
  shmem_barrier_all(); /* all puts have arrived */

  printf("Hello from PE %d of %d, whom PE %d greets\n", me, pes, greeted_by);
  if (greeted_by != (me + pes - 1) % pes) {
    fprintf(stderr, "PE %d: PE %d was not expected\n", me, greeted_by);
    shmem_global_exit(1);
  }
  shmem_finalize();
  return 0;
}
