/* SPDX-License-Identifier: BSD-3-Clause */
/* Split-phase barrier: no early exit, name comparison, progress of messages. */
#include "check.h"

#include <unistd.h>

enum { asked = 200, answered = 201, told = 202 };

static gasnet_seginfo_t* segments;
static volatile unsigned requests;
static volatile unsigned answers;
static unsigned seed;

static void request(gasnet_token_t token) {
  ++requests;
  CHECK(gasnet_AMReplyShort0(token, answered) == GASNET_OK);
}
static void answer(gasnet_token_t token) {
  (void)token;
  ++answers;
}

static volatile unsigned through;
static void hear_of_one(gasnet_token_t token) {
  (void)token;
  ++through;
}

static unsigned next_random(unsigned limit) {
  seed = seed * 1103515245 + 12345;
  return (seed >> 8) % limit;
}
static void dawdle(void) {
  if (next_random(50) == 0) usleep(next_random(300));
}
static unsigned* cell(gasnet_node_t node, gasnet_node_t of) {
  return (unsigned*)segments[node].addr + of;
}

static int wait_or_try(int id, int flags, int tries) {
  if (!tries) return gasnet_barrier_wait(id, flags);
  for (;;) {
    const int said = gasnet_barrier_try(id, flags);
    if (said != GASNET_ERR_NOT_READY) return said;
  }
}
static int whole(int id, int flags, int tries) {
  gasnet_barrier_notify(id, flags);
  return wait_or_try(id, flags, tries);
}

static void check_nobody_is_early(void) {
  for (unsigned phase = 1; phase <= 200; ++phase) {
    dawdle();
    for (gasnet_node_t node = 0; node < gasnet_nodes(); ++node) {
      gasnet_put_nbi_val(node, cell(node, gasnet_mynode()), phase, sizeof phase);
    }
    gasnet_wait_syncnbi_puts();
    gasnet_barrier_notify((int)phase, 0);
    dawdle();
    CHECK(wait_or_try((int)phase, 0, (int)next_random(2)) == GASNET_OK);
    for (gasnet_node_t node = 0; node < gasnet_nodes(); ++node) {
      const unsigned seen = *(volatile unsigned*)cell(gasnet_mynode(), node);
      CHECK(seen == phase || seen == phase + 1);
    }
  }
}

static void check_names(void) {
  const int anonymous = GASNET_BARRIERFLAG_ANONYMOUS;
  const int differs = gasnet_nodes() > 1 ? GASNET_ERR_BARRIER_MISMATCH : GASNET_OK;
  static const int ids[] = {0, 1, -1, 0x7FFFFFFF, -0x7FFFFFFF - 1, 12345};
  for (unsigned round = 0; round < 2 * gasnet_nodes(); ++round) {
    const int odd = gasnet_mynode() == round % gasnet_nodes();
    const int tries = round >= gasnet_nodes();
    for (unsigned i = 0; i < sizeof ids / sizeof *ids; ++i) {
      const int id = ids[i];
      CHECK(whole(id, 0, tries) == GASNET_OK);
      CHECK(whole(id, odd ? anonymous : 0, tries) == GASNET_OK);
      CHECK(whole(odd ? id ^ 5 : id, odd ? anonymous : 0, tries) == GASNET_OK);
      CHECK(whole(id, odd ? 0 : anonymous, tries) == GASNET_OK);
      CHECK(whole((int)gasnet_mynode(), anonymous, tries) == GASNET_OK);
      CHECK(whole(odd ? 77 : 78, 0, tries) == differs);
      CHECK(whole(id, odd ? GASNET_BARRIERFLAG_MISMATCH : 0, tries) == GASNET_ERR_BARRIER_MISMATCH);
      CHECK(whole(id, GASNET_BARRIERFLAG_MISMATCH | (odd ? anonymous : 0), tries) ==
            GASNET_ERR_BARRIER_MISMATCH);
      /* An anonymous node between two different names has no effect. */
      if (gasnet_nodes() > 2) {
        CHECK(whole((int)gasnet_mynode(), odd ? anonymous : 0, tries) ==
              GASNET_ERR_BARRIER_MISMATCH);
      }
      /* Only the node that waits for another id must see the mismatch. */
      gasnet_barrier_notify(id, 0);
      CHECK(wait_or_try(odd ? id ^ 1 : id, 0, tries) ==
            (odd ? GASNET_ERR_BARRIER_MISMATCH : GASNET_OK));
      gasnet_barrier_notify(id, 0);
      CHECK(wait_or_try(id, odd ? anonymous : 0, tries) ==
            (odd ? GASNET_ERR_BARRIER_MISMATCH : GASNET_OK));
    }
  }
}

static void check_messages_are_served(void) {
  unsigned sent = 0;
  for (gasnet_node_t late = 0; late < gasnet_nodes(); ++late) {
    for (int tries = 0; tries < 2; ++tries) {
      if (gasnet_mynode() == late) {
        for (gasnet_node_t node = 0; node < gasnet_nodes(); ++node) {
          CHECK(gasnet_AMRequestShort0(node, asked) == GASNET_OK);
          ++sent;
        }
        GASNET_BLOCKUNTIL(answers == sent);
      }
      gasnet_barrier_notify(3, 0);
      if (gasnet_mynode() != late) {
        CHECK(gasnet_AMRequestShort0(late, asked) == GASNET_OK);
        ++sent;
      }
      CHECK(wait_or_try(3, 0, tries) == GASNET_OK);
    }
  }
  GASNET_BLOCKUNTIL(requests == 2 * gasnet_nodes() + 2 * (gasnet_nodes() - 1));
  barrier();
}

static void check_others_get_through(void) {
  for (int round = 0; round < 20; ++round) {
    for (gasnet_node_t odd = 0; odd < gasnet_nodes(); ++odd) {
      gasnet_barrier_notify(round, 0);
      if (gasnet_mynode() == odd) {
        const unsigned others = gasnet_nodes() - 1;
        if (round % 2 == 0) {
          GASNET_BLOCKUNTIL(through == others);
        } else {
          while (through != others) gasnet_AMPoll();
        }
        through = 0;
        CHECK(gasnet_barrier_wait(round, 0) == GASNET_OK);
      } else {
        CHECK(gasnet_barrier_wait(round, 0) == GASNET_OK);
        CHECK(gasnet_AMRequestShort0(odd, told) == GASNET_OK);
      }
      barrier();
    }
  }
}

static void check_many(void) {
  for (int phase = 0; phase < 2000; ++phase) {
    dawdle();
    CHECK(whole(phase, 0, phase % 3 == 0) == GASNET_OK);
  }
}

int main(void) {
  gasnet_handlerentry_t table[] = {{asked, (void (*)())request},
                                   {answered, (void (*)())answer},
                                   {told, (void (*)())hear_of_one}};
  start(table, 3, GASNET_PAGESIZE);
  segments = malloc(gasnet_nodes() * sizeof *segments);
  CHECK(gasnet_getSegmentInfo(segments, (int)gasnet_nodes()) == GASNET_OK);
  seed = gasnet_mynode() + 1;
  barrier();
  check_nobody_is_early();
  check_names();
  check_messages_are_served();
  check_others_get_through();
  check_many();
  free(segments);
  gasnet_exit(0);
}
