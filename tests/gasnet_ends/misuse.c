/* SPDX-License-Identifier: BSD-3-Clause */
/* Misuses GASNet as its argument specifies. Lists these without argument. */
#include <gasnet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { answered = 200, answer_twice = 201, unregistered = 202, segment_bytes = 1 << 16 };

static char buffer[1 << 13];
static gasnet_node_t next;
static char* there; /* in the next node's segment */
static volatile int never;

static void ignore(gasnet_token_t token) { (void)token; }
static void reply_twice(gasnet_token_t token) {
  gasnet_AMReplyShort0(token, answered);
  gasnet_AMReplyMedium0(token, answered, buffer, 8);
}

static void ask_local(void) { gasnet_getMaxLocalSegmentSize(); }
static void ask_global(void) { gasnet_getMaxGlobalSegmentSize(); }
static void ask_medium(void) { gasnet_AMMaxMedium(); }
static void put(void) { gasnet_put(0, buffer, buffer, 8); }
static void put_counted(void) { gasnet_put_nbi(0, buffer, buffer, 8); }
static void get(void) { gasnet_get(buffer, 0, buffer, 8); }
static void wait_puts(void) { gasnet_wait_syncnbi_puts(); }
static void try_all(void) { gasnet_try_syncnbi_all(); }
static void block(void) { GASNET_BLOCKUNTIL(never); }
static void notify(void) { gasnet_barrier_notify(0, 0); }

static void put_behind(void) { gasnet_put(next, there + segment_bytes, buffer, 8); }
static void long_behind(void) {
  gasnet_AMRequestLong0(next, answered, buffer, 8, there + segment_bytes);
}
static void long_before(void) {
  gasnet_AMRequestLong2(next, answered, buffer, sizeof buffer, there - sizeof buffer, 1, 2);
}
static void long_across(void) {
  gasnet_AMRequestLongAsync1(next, answered, buffer, 2000, there + segment_bytes - 1000, 1);
}
static void put_long_value(void) { gasnet_put_val(next, there, 1, 9); }
static void put_long_value_nb(void) { gasnet_wait_syncnb(gasnet_put_nb_val(next, there, 1, 9)); }
static void put_long_value_nbi(void) { gasnet_put_nbi_val(next, there, 1, 9); }
static void get_long_value(void) { gasnet_get_val(next, there, 9); }
static void get_long_value_nb(void) {
  gasnet_wait_syncnb_valget(gasnet_get_nb_val(next, there, 9));
}
static void reply_to_next_twice(void) { gasnet_AMRequestShort0(next, answer_twice); }
static void name_unregistered(void) { gasnet_AMRequestShort0(next, unregistered); }

enum stage { before_init, before_attach, attached };
static const struct {
  const char* name;
  enum stage stage;
  void (*act)(void);
  const char* words;
} cases[] = {
    {"local-size-early", before_init, ask_local,
     "gasnet_getMaxLocalSegmentSize: gasnet_init() must be called before"},
    {"global-size-early", before_init, ask_global,
     "gasnet_getMaxGlobalSegmentSize: gasnet_init() must be called before"},
    {"medium-early", before_init, ask_medium,
     "gasnet_AMMaxMedium: gasnet_init() must be called before"},
    {"put-first", before_init, put, "gasnet_put: gasnet_attach() must be called before"},
    {"block-first", before_init, block, "GASNET_BLOCKUNTIL: gasnet_attach() must be called before"},
    {"put-early", before_attach, put, "gasnet_put: gasnet_attach() must be called before"},
    {"put-nbi-early", before_attach, put_counted,
     "gasnet_put_nbi: gasnet_attach() must be called before"},
    {"get-early", before_attach, get, "gasnet_get: gasnet_attach() must be called before"},
    {"wait-early", before_attach, wait_puts,
     "gasnet_wait_syncnbi_puts: gasnet_attach() must be called before"},
    {"try-early", before_attach, try_all,
     "gasnet_try_syncnbi_all: gasnet_attach() must be called before"},
    {"notify-early", before_attach, notify,
     "gasnet_barrier_notify: gasnet_attach() must be called before"},
    {"put-behind", attached, put_behind, "gasnet_put: the address is not in the segment of node"},
    {"long-behind", attached, long_behind,
     "gasnet_AMRequestLong0: the address is not in the segment of node"},
    {"long-before", attached, long_before,
     "gasnet_AMRequestLong2: the address is not in the segment of node"},
    {"long-across", attached, long_across,
     "gasnet_AMRequestLongAsync1: the address is not in the segment of node"},
    {"put-long-value", attached, put_long_value, "gasnet_put_val: a value has at most 8 bytes"},
    {"put-long-value-nb", attached, put_long_value_nb,
     "gasnet_put_nb_val: a value has at most 8 bytes"},
    {"put-long-value-nbi", attached, put_long_value_nbi,
     "gasnet_put_nbi_val: a value has at most 8 bytes"},
    {"get-long-value", attached, get_long_value, "gasnet_get_val: a value has at most 8 bytes"},
    {"get-long-value-nb", attached, get_long_value_nb,
     "gasnet_get_nb_val: a value has at most 8 bytes"},
    {"reply-twice", attached, reply_to_next_twice,
     "gasnet_AMReplyMedium0: a handler may reply only once, and only to a request"},
    {"unregistered", attached, name_unregistered,
     "gasnet_AMPoll: a message of node 0 requests handler 202, which is not registered on this "
     "node"},
};

static void act_when(enum stage now, size_t chosen) {
  if (cases[chosen].stage == now) cases[chosen].act();
}

int main(int argc, char** argv) {
  const size_t count = sizeof cases / sizeof *cases;
  size_t chosen = 0;
  if (argc < 2) {
    for (size_t i = 0; i < count; ++i) printf("%s|%s\n", cases[i].name, cases[i].words);
    return 0;
  }
  while (chosen < count && strcmp(argv[1], cases[chosen].name) != 0) ++chosen;
  if (chosen == count) return 99;

  act_when(before_init, chosen);
  gasnet_init(&argc, &argv);
  act_when(before_attach, chosen);
  gasnet_handlerentry_t table[] = {{answered, (void (*)())ignore},
                                   {answer_twice, (void (*)())reply_twice}};
  gasnet_attach(table, 2, segment_bytes, 0);
  gasnet_seginfo_t segments[2];
  gasnet_getSegmentInfo(segments, 2);
  next = 1 - gasnet_mynode();
  there = segments[next].addr;
  if (gasnet_mynode() == 0) act_when(attached, chosen);
  GASNET_BLOCKUNTIL(never);
}
