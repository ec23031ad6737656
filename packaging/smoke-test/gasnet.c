/* SPDX-License-Identifier: BSD-3-Clause */
/* Smallest GASNet program of an outside project. */
#include <gasnet.h>

#include <gasnet_tools.h>
#include <stdio.h>

static gasnett_atomic_t greetings = gasnett_atomic_init(0);
static void greet(gasnet_token_t token, gasnet_handlerarg_t from) {
  (void)token;
  (void)from;
  gasnett_atomic_increment(&greetings, 0);
}

int main(int argc, char** argv) {
  gasnet_handlerentry_t table[] = {{200, (void (*)())greet}};
  gasnet_seginfo_t segments[16];
  if (gasnet_init(&argc, &argv) != GASNET_OK) return 1;
  if (gasnet_attach(table, 1, GASNET_PAGESIZE, 0) != GASNET_OK) return 2;
  gasnet_getSegmentInfo(segments, 16);
  const gasnet_node_t next = (gasnet_mynode() + 1) % gasnet_nodes();
  gasnet_put_val(next, segments[next].addr, gasnet_mynode(), sizeof(int));
  gasnet_AMRequestShort1(next, 200, (gasnet_handlerarg_t)gasnet_mynode());
  GASNET_BLOCKUNTIL(gasnett_atomic_read(&greetings, 0) == 1);
  printf("node %u was greeted by %d\n", gasnet_mynode(), *(int*)segments[gasnet_mynode()].addr);
  gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
  gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS);
  gasnet_exit(0);
}
