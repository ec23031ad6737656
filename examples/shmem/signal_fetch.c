/* SPDX-License-Identifier: BSD-3-Clause */
/* Polls a signal while working. */
#include <shmem.h>
#include <stdio.h>

static uint64_t signal;
static char letter[32];

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  const int pes = shmem_n_pes();
  char mine[32];
  snprintf(mine, sizeof mine, "Dear %d, yours %d", (me + 1) % pes, me);
  shmem_char_put_signal(letter, mine, sizeof mine, &signal, 7, SHMEM_SIGNAL_SET, (me + 1) % pes);

  uint64_t seen;
  long dishes = 0;
  while ((seen = shmem_signal_fetch(&signal)) == 0) ++dishes;
  int to = -1, from = -1;
  if (seen != 7 || sscanf(letter, "Dear %d, yours %d", &to, &from) != 2 || to != me ||
      from != (me + pes - 1) % pes) {
    fprintf(stderr, "PE %d: got signal %d and '%s'\n", me, (int)seen, letter);
    shmem_global_exit(1);
  }
  printf("%s (after %ld dishes)\n", letter, dishes);
  shmem_finalize();
  return 0;
}
