/* SPDX-License-Identifier: BSD-3-Clause */
/* Active messages and replies of all categories, with 0 to 16 arguments, to all nodes. */
#include "check.h"

enum { first = 128, segment_bytes = 1 << 20, largest = 100000 };

static volatile unsigned answers;
static char expected[largest];

static void check_arguments(int count, const gasnet_handlerarg_t* a) {
  for (int i = 1; i < count; ++i) CHECK(a[i] == a[0] + i);
}

#define A0
#define A1 , a0
#define A2 A1, a1
#define A3 A2, a2
#define A4 A3, a3
#define A5 A4, a4
#define A6 A5, a5
#define A7 A6, a6
#define A8 A7, a7
#define A9 A8, a8
#define A10 A9, a9
#define A11 A10, a10
#define A12 A11, a11
#define A13 A12, a12
#define A14 A13, a13
#define A15 A14, a14
#define A16 A15, a15
#define N0
#define N1 , 7
#define N2 N1, 8
#define N3 N2, 9
#define N4 N3, 10
#define N5 N4, 11
#define N6 N5, 12
#define N7 N6, 13
#define N8 N7, 14
#define N9 N8, 15
#define N10 N9, 16
#define N11 N10, 17
#define N12 N11, 18
#define N13 N12, 19
#define N14 N13, 20
#define N15 N14, 21
#define N16 N15, 22

enum { kinds = 6, counts = 17 };
#define INDEX(kind, M) (first + (kind) * counts + (M))

static int counted_form(void) {
  static unsigned turn;
  return ++turn % 2;
}

#define HANDLERS(M)                                                                               \
  static void short_request##M(gasnet_token_t token ACRE_GASNET_PARAMETERS_##M) {                 \
    const gasnet_handlerarg_t a[] = {0 A##M};                                                     \
    check_arguments(M, a + 1);                                                                    \
    CHECK(M == 0 || a[1] == 7);                                                                   \
    if (counted_form()) {                                                                         \
      CHECK(gasnet_AMReplyShort(token, INDEX(1, M), M A##M) == GASNET_OK);                        \
    } else {                                                                                      \
      CHECK(gasnet_AMReplyShort##M(token, INDEX(1, M) A##M) == GASNET_OK);                        \
    }                                                                                             \
  }                                                                                               \
  static void short_answer##M(gasnet_token_t token ACRE_GASNET_PARAMETERS_##M) {                  \
    const gasnet_handlerarg_t a[] = {0 A##M};                                                     \
    gasnet_node_t from;                                                                           \
    CHECK(gasnet_AMGetMsgSource(token, &from) == GASNET_OK && from < gasnet_nodes());             \
    check_arguments(M, a + 1);                                                                    \
    ++answers;                                                                                    \
  }                                                                                               \
  static void medium_request##M(gasnet_token_t token, void* buffer,                               \
                                size_t bytes ACRE_GASNET_PARAMETERS_##M) {                        \
    const gasnet_handlerarg_t a[] = {0 A##M};                                                     \
    check_arguments(M, a + 1);                                                                    \
    CHECK((uintptr_t)buffer % GASNET_MEDBUF_ALIGNMENT == 0);                                      \
    CHECK(memcmp(buffer, expected, bytes) == 0);                                                  \
    if (counted_form()) {                                                                         \
      CHECK(gasnet_AMReplyMedium(token, INDEX(3, M), buffer, bytes, M A##M) == GASNET_OK);        \
    } else {                                                                                      \
      CHECK(gasnet_AMReplyMedium##M(token, INDEX(3, M), buffer, bytes A##M) == GASNET_OK);        \
    }                                                                                             \
  }                                                                                               \
  static void medium_answer##M(gasnet_token_t token, void* buffer,                                \
                               size_t bytes ACRE_GASNET_PARAMETERS_##M) {                         \
    const gasnet_handlerarg_t a[] = {0 A##M};                                                     \
    (void)token;                                                                                  \
    check_arguments(M, a + 1);                                                                    \
    CHECK((uintptr_t)buffer % GASNET_MEDBUF_ALIGNMENT == 0);                                      \
    CHECK(memcmp(buffer, expected, bytes) == 0);                                                  \
    ++answers;                                                                                    \
  }                                                                                               \
  static void long_request##M(gasnet_token_t token, void* buffer,                                 \
                              size_t bytes ACRE_GASNET_PARAMETERS_##M) {                          \
    const gasnet_handlerarg_t a[] = {0 A##M};                                                     \
    gasnet_node_t from;                                                                           \
    check_arguments(M, a + 1);                                                                    \
    CHECK(memcmp(buffer, expected, bytes) == 0);                                                  \
    CHECK(gasnet_AMGetMsgSource(token, &from) == GASNET_OK);                                      \
    char* const back = segment_of(from) + segment_bytes - largest;                                \
    if (counted_form()) {                                                                         \
      CHECK(gasnet_AMReplyLong(token, INDEX(5, M), expected, bytes, back, M A##M) == GASNET_OK);  \
    } else {                                                                                      \
      CHECK(gasnet_AMReplyLong##M(token, INDEX(5, M), expected, bytes, back A##M) == GASNET_OK);  \
    }                                                                                             \
  }                                                                                               \
  static void long_answer##M(gasnet_token_t token, void* buffer,                                  \
                             size_t bytes ACRE_GASNET_PARAMETERS_##M) {                           \
    const gasnet_handlerarg_t a[] = {0 A##M};                                                     \
    (void)token;                                                                                  \
    check_arguments(M, a + 1);                                                                    \
    CHECK(buffer == segment_of(gasnet_mynode()) + segment_bytes - largest);                       \
    CHECK(memcmp(buffer, expected, bytes) == 0);                                                  \
    ++answers;                                                                                    \
  }                                                                                               \
  static void ask##M(gasnet_node_t node) {                                                        \
    char* const mine = segment_of(node) + gasnet_mynode() * 64;                                   \
    char* const all = segment_of(node) + 4096 + gasnet_mynode() * largest;                        \
    const size_t medium = gasnet_AMMaxMedium() < largest ? gasnet_AMMaxMedium() : largest;        \
    const size_t sizes[] = {0, 1, 63, medium};                                                    \
    const unsigned before = answers;                                                              \
    unsigned asked = 0;                                                                           \
    CHECK(gasnet_AMRequestShort##M(node, INDEX(0, M) N##M) == GASNET_OK);                         \
    ++asked;                                                                                      \
    CHECK(gasnet_AMRequestShort(node, INDEX(0, M), M N##M) == GASNET_OK);                         \
    CHECK(gasnet_AMRequestMedium(node, INDEX(2, M), expected, 64, M N##M) == GASNET_OK);          \
    CHECK(gasnet_AMRequestLong(node, INDEX(4, M), expected, 64, mine, M N##M) == GASNET_OK);      \
    CHECK(gasnet_AMRequestLongAsync(node, INDEX(4, M), expected, 64, mine, M N##M) == GASNET_OK); \
    asked += 4;                                                                                   \
    for (int i = 0; i < 4; ++i, ++asked) {                                                        \
      CHECK(gasnet_AMRequestMedium##M(node, INDEX(2, M), expected, sizes[i] N##M) == GASNET_OK);  \
    }                                                                                             \
    for (int i = 0; i < 3; ++i, ++asked) {                                                        \
      CHECK(gasnet_AMRequestLong##M(node, INDEX(4, M), expected, sizes[i], mine N##M) ==          \
            GASNET_OK);                                                                           \
    }                                                                                             \
    GASNET_BLOCKUNTIL(answers == before + asked);                                                 \
    CHECK(gasnet_AMRequestLong##M(node, INDEX(4, M), expected, largest, all N##M) == GASNET_OK);  \
    GASNET_BLOCKUNTIL(answers == before + asked + 1);                                             \
    CHECK(gasnet_AMRequestLongAsync##M(node, INDEX(4, M), expected, largest, all N##M) ==         \
          GASNET_OK);                                                                             \
    GASNET_BLOCKUNTIL(answers == before + asked + 2);                                             \
  }
ACRE_GASNET_EACH_COUNT(HANDLERS)

#define ENTRIES(M)                                                                               \
  {INDEX(0, M), (void (*)())short_request##M}, {INDEX(1, M), (void (*)())short_answer##M},       \
      {INDEX(2, M), (void (*)())medium_request##M}, {INDEX(3, M), (void (*)())medium_answer##M}, \
      {INDEX(4, M), (void (*)())long_request##M}, {INDEX(5, M), (void (*)())long_answer##M},

static unsigned flooded;
static void flood_request(gasnet_token_t token) {
  ++flooded;
  CHECK(gasnet_AMReplyShort0(token, 255) == GASNET_OK);
}
static void flood_answer(gasnet_token_t token) {
  (void)token;
  ++answers;
}

/* A reply refused for its size leaves the right to reply. */
enum { refuse = 251, refused = 252 };
static void refuse_request(gasnet_token_t token, gasnet_handlerarg_t is_long) {
  if (is_long) {
    CHECK(gasnet_AMReplyLong0(token, refused, expected, gasnet_AMMaxLongReply() + 1,
                              segment_of(0)) == GASNET_ERR_BAD_ARG);
  } else {
    CHECK(gasnet_AMReplyMedium0(token, refused, expected, gasnet_AMMaxMedium() + 1) ==
          GASNET_ERR_BAD_ARG);
  }
  CHECK(gasnet_AMReplyShort0(token, refused) == GASNET_OK);
}
static void check_refusals(void) {
  const gasnet_node_t next = (gasnet_mynode() + 1) % gasnet_nodes();
  const size_t too_long = gasnet_AMMaxLongRequest() + 1;
  char* const there = segment_of(next);
  CHECK(gasnet_AMRequestShort0(gasnet_nodes(), 254) == GASNET_ERR_BAD_ARG);
  CHECK(gasnet_AMRequestMedium0(0, 254, expected, gasnet_AMMaxMedium() + 1) == GASNET_ERR_BAD_ARG);
  CHECK(gasnet_AMRequestLong0(next, 254, expected, too_long, there) == GASNET_ERR_BAD_ARG);
  CHECK(gasnet_AMRequestShort(gasnet_nodes(), 254, 0) == GASNET_ERR_BAD_ARG);
  CHECK(gasnet_AMRequestShort(next, 254, 17) == GASNET_ERR_BAD_ARG);
  CHECK(gasnet_AMRequestShort(next, 254, -1) == GASNET_ERR_BAD_ARG);
  CHECK(gasnet_AMRequestLong(next, 254, expected, too_long, there, 0) == GASNET_ERR_BAD_ARG);
  CHECK(gasnet_AMRequestLongAsync1(next, 254, expected, too_long, there, 1) == GASNET_ERR_BAD_ARG);
  answers = 0;
  CHECK(gasnet_AMRequestShort1(next, refuse, 0) == GASNET_OK);
  CHECK(gasnet_AMRequestShort1(next, refuse, 1) == GASNET_OK);
  GASNET_BLOCKUNTIL(answers == 2);
}

int main(void) {
  gasnet_handlerentry_t table[] = {
      ACRE_GASNET_EACH_COUNT(ENTRIES){refuse, (void (*)())refuse_request},
      {refused, (void (*)())flood_answer},
      {254, (void (*)())flood_request},
      {255, (void (*)())flood_answer}};
  for (int i = 0; i < largest; ++i) expected[i] = (char)(i * 7 + i / 251);
  start(table, sizeof table / sizeof *table, segment_bytes);
  CHECK(gasnet_AMMaxArgs() >= 16);
  CHECK(gasnet_AMMaxMedium() >= 512);
  for (gasnet_node_t i = 0; i < gasnet_nodes(); ++i) {
    const gasnet_node_t node = (gasnet_mynode() + i) % gasnet_nodes();
#define ASK(M) ask##M(node);
    ACRE_GASNET_EACH_COUNT(ASK)
  }
  barrier();

  enum { flood = 3000 };
  answers = 0;
  for (int i = 0; i < flood; ++i) {
    for (gasnet_node_t node = 0; node < gasnet_nodes(); ++node) {
      CHECK(gasnet_AMRequestShort0(node, 254) == GASNET_OK);
    }
  }
  GASNET_BLOCKUNTIL(answers == flood * gasnet_nodes());
  GASNET_BLOCKUNTIL(flooded == flood * gasnet_nodes());

  barrier();
  check_refusals();
  barrier();
  gasnet_exit(0);
}
