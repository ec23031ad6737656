/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem_ptr returns an address if the PE's memory is mapped here; null requires a put. */
#include <shmem.h>
#include <stdio.h>

enum { count = 4 };

static int squares[count];

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  const int pes = shmem_n_pes();
  const int next = (me + 1) % pes;

  int* const theirs = shmem_ptr(squares, next);
  for (int i = 0; i < count; ++i) {
    const int square = (me + i) * (me + i);
    if (theirs != NULL) {
      theirs[i] = square;
    } else {
      shmem_int_p(&squares[i], square, next);
    }
  }
  shmem_barrier_all();

  printf("PE %d writes to PE %d by %s\n", me, next, theirs != NULL ? "plain stores" : "puts");
  const int previous = (me + pes - 1) % pes;
  for (int i = 0; i < count; ++i) {
    if (squares[i] != (previous + i) * (previous + i)) {
      fprintf(stderr, "PE %d: squares[%d] is %d\n", me, i, squares[i]);
      shmem_global_exit(1);
    }
  }
  shmem_finalize();
  return 0;
}
