/* SPDX-License-Identifier: BSD-3-Clause */
/* The first program: every PE says who it is, and greets its neighbour by writing into its
 * memory.
 *
 *     oshcc examples/shmem/hello.c -o hello
 *     oshrun -n 4 ./hello */
#include <shmem.h>
#include <stdio.h>

static int greeted_by = -1; /* static variables exist on every PE, where all others may write */

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  const int pes = shmem_n_pes();

  shmem_int_p(&greeted_by, me, (me + 1) % pes);
  shmem_barrier_all(); /* now all greetings have arrived */

  printf("Hello from PE %d of %d, whom PE %d greets\n", me, pes, greeted_by);
  if (greeted_by != (me + pes - 1) % pes) {
    fprintf(stderr, "PE %d: PE %d was not expected\n", me, greeted_by);
    shmem_global_exit(1);
  }
  shmem_finalize();
  return 0;
}
