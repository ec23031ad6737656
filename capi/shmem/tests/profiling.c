/* A tool puts routines of its own in the place of some, and calls the others' profiling names;
 * it includes the header from where it was long ago. */
#include "check.h"

#include <mpp/shmem.h>

#include <pshmem.h>

static int puts_seen, barriers_seen;
static int words[2];

void shmem_int_put(int* dest, const int* source, size_t nelems, int pe) {
  ++puts_seen;
  pshmem_int_put(dest, source, nelems, pe);
}
void shmem_barrier_all(void) {
  ++barriers_seen;
  pshmem_barrier_all();
}

int main(void) {
  pshmem_init();
  const int me = pshmem_my_pe(), pes = pshmem_n_pes();
  const int mine[2] = {me, me + 1};
  shmem_pcontrol(1);
  shmem_put(words, mine, 2, (me + 1) % pes);
  pshmem_int_put(words, mine, 2, (me + 1) % pes);
  shmem_barrier_all();
  CHECK(puts_seen == 1 && barriers_seen == 1);
  CHECK(words[1] == (me + pes - 1) % pes + 1);
  pshmem_finalize();
  return 0;
}
