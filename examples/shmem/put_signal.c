/* SPDX-License-Identifier: BSD-3-Clause */
/* Put with signal: the message is complete when the signal is seen. A ring passes an array on. */
#include <shmem.h>
#include <stdio.h>

enum { count = 2000 };

static uint64_t signal;
static long message[count];

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  const int pes = shmem_n_pes();
  const int next = (me + 1) % pes;
  static long outgoing[count]; /* the source may be anywhere */

  if (me == 0) {
    shmem_long_put_signal(message, outgoing, count, &signal, 1, SHMEM_SIGNAL_SET, next);
  }
  shmem_signal_wait_until(&signal, SHMEM_CMP_EQ, 1);
  for (int i = 0; i < count; ++i) {
    const long expected = me == 0 ? pes - 1 : me - 1;
    if (message[i] != expected) {
      fprintf(stderr, "PE %d: element %d is %ld\n", me, i, message[i]);
      shmem_global_exit(1);
    }
    outgoing[i] = message[i] + 1;
  }
  if (me != 0) {
    shmem_long_put_signal(message, outgoing, count, &signal, 1, SHMEM_SIGNAL_SET, next);
  } else {
    printf("the message came back after %ld others\n", message[0]);
  }
  shmem_finalize();
  return 0;
}
