/* SPDX-License-Identifier: BSD-3-Clause */
/* From gasnet_init() to gasnet_exit(): refusals, queries and order of calls. */
#include "check.h"

#include <sys/wait.h>
#include <unistd.h>

enum { page = GASNET_PAGESIZE };

static volatile unsigned heard;
static int attached;
static void first_handler(gasnet_token_t token, gasnet_handlerarg_t a) {
  (void)token;
  CHECK(attached);
  heard += (unsigned)a;
}
static void second_handler(gasnet_token_t token, gasnet_handlerarg_t a) {
  (void)token;
  heard += 1000 * (unsigned)a;
}
static void third_handler(gasnet_token_t token, gasnet_handlerarg_t a) {
  (void)token;
  heard += 1000000 * (unsigned)a;
}
#define HANDLER(f) ((void (*)())(f))

static void check_errors_have_names(void) {
  static const struct {
    int value;
    const char* name;
  } errors[] = {{GASNET_OK, "GASNET_OK"},
                {GASNET_ERR_NOT_INIT, "GASNET_ERR_NOT_INIT"},
                {GASNET_ERR_RESOURCE, "GASNET_ERR_RESOURCE"},
                {GASNET_ERR_BAD_ARG, "GASNET_ERR_BAD_ARG"},
                {GASNET_ERR_NOT_READY, "GASNET_ERR_NOT_READY"},
                {GASNET_ERR_BARRIER_MISMATCH, "GASNET_ERR_BARRIER_MISMATCH"}};
  for (size_t i = 0; i < sizeof errors / sizeof *errors; ++i) {
    CHECK(strcmp(gasnet_ErrorName(errors[i].value), errors[i].name) == 0);
    CHECK(strlen(gasnet_ErrorDesc(errors[i].value)) > 0);
    for (size_t j = 0; j < i; ++j) CHECK(errors[i].value != errors[j].value);
  }
  CHECK(GASNET_OK == 0);
  CHECK(gasnet_ErrorName(4711) != NULL && gasnet_ErrorDesc(4711) != NULL);
}

static void check_before_init(void) {
  gasnet_seginfo_t segment;
  gasnet_nodeinfo_t node;
  CHECK(gasnet_attach(NULL, 0, 0, 0) == GASNET_ERR_NOT_INIT);
  CHECK(gasnet_getSegmentInfo(&segment, 1) == GASNET_ERR_NOT_INIT);
  CHECK(gasnet_getNodeInfo(&node, 1) == GASNET_ERR_NOT_INIT);
  CHECK(gasnet_AMPoll() == GASNET_ERR_NOT_INIT);
}

static void check_environment(void) {
  setenv("ACRE_GASNET_TEST_OF_SETUP", "a value", 1);
  CHECK(strcmp(gasnet_getenv("ACRE_GASNET_TEST_OF_SETUP"), "a value") == 0);
  unsetenv("ACRE_GASNET_TEST_OF_SETUP");
  CHECK(gasnet_getenv("ACRE_GASNET_TEST_OF_SETUP") == NULL);
}

static void check_refusals_of_attach(void) {
  gasnet_handlerentry_t reserved = {127, HANDLER(first_handler)};
  CHECK(gasnet_attach(&reserved, 1, page, 0) == GASNET_ERR_BAD_ARG);
  gasnet_handlerentry_t lowest = {1, HANDLER(first_handler)};
  CHECK(gasnet_attach(&lowest, 1, page, 0) == GASNET_ERR_BAD_ARG);
  gasnet_handlerentry_t twice[] = {{200, HANDLER(first_handler)}, {200, HANDLER(second_handler)}};
  CHECK(gasnet_attach(twice, 2, page, 0) == GASNET_ERR_BAD_ARG);
  CHECK(gasnet_attach(NULL, -1, page, 0) == GASNET_ERR_BAD_ARG);
  CHECK(gasnet_attach(NULL, 1, page, 0) == GASNET_ERR_BAD_ARG);
  CHECK(gasnet_attach(NULL, 0, page + 1, 0) == GASNET_ERR_BAD_ARG);
  const uintptr_t most = gasnet_getMaxLocalSegmentSize();
  const int said = gasnet_attach(NULL, 0, most + 16 * (uintptr_t)page, 0);
  CHECK(said == GASNET_ERR_BAD_ARG || said == GASNET_ERR_RESOURCE);
}

static void check_segments(uintptr_t mine) {
  gasnet_seginfo_t* segments = malloc((gasnet_nodes() + 1) * sizeof *segments);
  segments[gasnet_nodes()].size = 4711;
  CHECK(gasnet_getSegmentInfo(segments, (int)gasnet_nodes()) == GASNET_OK);
  CHECK(segments[gasnet_nodes()].size == 4711);
  CHECK(gasnet_getSegmentInfo(NULL, 0) == GASNET_OK);
  CHECK(segments[gasnet_mynode()].size == mine);
  for (gasnet_node_t node = 0; node < gasnet_nodes(); ++node) {
    CHECK(segments[node].size == (uintptr_t)(node + 1) * page);
    CHECK((uintptr_t)segments[node].addr % page == 0);
  }
  const gasnet_node_t next = (gasnet_mynode() + 1) % gasnet_nodes();
  char* const last = (char*)segments[next].addr + segments[next].size - 1;
  gasnet_put_val(next, last, gasnet_mynode() + 1, 1);
  CHECK(gasnet_get_val(next, last, 1) == gasnet_mynode() + 1);
  barrier();
  const gasnet_node_t before = (gasnet_mynode() + gasnet_nodes() - 1) % gasnet_nodes();
  CHECK(((char*)segments[gasnet_mynode()].addr)[mine - 1] == (char)(before + 1));
  free(segments);
}

static void check_nodes(void) {
  gasnet_nodeinfo_t* nodes = malloc(gasnet_nodes() * sizeof *nodes);
  CHECK(gasnet_getNodeInfo(nodes, (int)gasnet_nodes()) == GASNET_OK);
  CHECK(gasnet_getNodeInfo(NULL, 0) == GASNET_OK);
  for (gasnet_node_t node = 0; node < gasnet_nodes(); ++node) {
    CHECK(nodes[node].supernode <= node && nodes[node].host <= nodes[node].supernode);
    CHECK(nodes[nodes[node].host].host == nodes[node].host);
    CHECK(nodes[nodes[node].supernode].supernode == nodes[node].supernode);
  }
  free(nodes);
}

enum { calls = 5, exits = 2 };

static void call(int which) {
  const gasnet_node_t me = gasnet_mynode();
  const gasnet_node_t next = (me + 1) % gasnet_nodes();
  if (which == 0) gasnet_put_val(me, segment_of(me), 99, 1);
  if (which == 1) gasnet_put(next, segment_of(next), "9", 1);
  if (which == 2) gasnet_get_val(next, segment_of(next), 1);
  if (which == 3) gasnet_AMRequestShort1(next, 200, 1);
  if (which == 4) {
    gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
    gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS);
    if (gasnet_nodes() == 1) gasnet_put_val(me, segment_of(me), 99, 1);
  }
  *segment_of(me) = 99;
  if (which == calls) exit(0);
  gasnet_exit(0);
}

/* fork() children are not nodes: their calls are refused by name, and they end alone. */
static void check_children(void) {
  const char before = *segment_of(gasnet_mynode());
  for (int which = 0; which < calls + exits; ++which) {
    int ends[2];
    int how = 0;
    char text[500] = "";
    CHECK(pipe(ends) == 0);
    const pid_t child = fork();
    if (child == 0) {
      dup2(ends[1], STDERR_FILENO);
      call(which);
    }
    close(ends[1]);
    CHECK(read(ends[0], text, sizeof text - 1) >= 0);
    close(ends[0]);
    CHECK(waitpid(child, &how, 0) == child && WIFEXITED(how));
    CHECK(WEXITSTATUS(how) == (which < calls ? 1 : 0));
    /* A sanitizer may print its own message at exit of a child. */
    CHECK((strstr(text, "fork()") != NULL) == (which < calls));
    CHECK(*segment_of(gasnet_mynode()) == before);
  }
}

int main(int argc, char** argv) {
  check_errors_have_names();
  check_before_init();
  CHECK(gasnet_init(&argc, &argv) == GASNET_OK);
  CHECK(gasnet_init(&argc, &argv) == GASNET_ERR_NOT_INIT);
  CHECK(argc == 1 && argv[0] != NULL);
  CHECK(gasnet_nodes() >= 1 && gasnet_mynode() < gasnet_nodes());
  check_environment();
  check_nodes();

  const uintptr_t local = gasnet_getMaxLocalSegmentSize();
  const uintptr_t global = gasnet_getMaxGlobalSegmentSize();
  CHECK(global > 0 && global <= local);
  CHECK(global % page == 0 && local % page == 0);
  if (gasnet_mynode() == 0) CHECK(gasnet_getMaxGlobalSegmentSize() == global);
  check_refusals_of_attach();
  CHECK(gasnet_AMRequestShort0(0, 200) == GASNET_ERR_NOT_INIT);
  CHECK(gasnet_AMRequestShort(0, 200, 0) == GASNET_ERR_NOT_INIT);
  CHECK(gasnet_AMPoll() == GASNET_ERR_NOT_INIT);

  gasnet_handlerentry_t table[] = {{0, HANDLER(first_handler)},
                                   {128, HANDLER(second_handler)},
                                   {0, HANDLER(third_handler)},
                                   {200, HANDLER(first_handler)}};
  const uintptr_t mine = (uintptr_t)(gasnet_mynode() + 1) * page;
  CHECK(gasnet_attach(table, 4, mine, 0) == GASNET_OK);
  attached = 1;
  for (gasnet_node_t node = 0; node < gasnet_nodes(); ++node) {
    CHECK(gasnet_AMRequestShort1(node, table[3].index, 1) == GASNET_OK);
  }
  CHECK(table[1].index == 128 && table[3].index == 200);
  CHECK(table[0].index > 128 && table[2].index > 128);
  CHECK(table[0].index != table[2].index && table[0].index != 200 && table[2].index != 200);
  CHECK(gasnet_attach(table, 4, mine, 0) == GASNET_ERR_NOT_INIT);
  check_segments(mine);
  check_nodes();
  check_children();

  for (gasnet_node_t node = 0; node < gasnet_nodes(); ++node) {
    for (int i = 0; i < 4; ++i) CHECK(gasnet_AMRequestShort1(node, table[i].index, 1) == GASNET_OK);
  }
  GASNET_BLOCKUNTIL(heard == 1001003 * gasnet_nodes());
  CHECK(gasnet_AMMaxLongRequest() >= 512 && gasnet_AMMaxLongReply() >= 512);
  CHECK((int)gasnet_AMMaxLongRequest() > 0 && (int)gasnet_AMMaxMedium() > 0);
  CHECK(gasnet_set_waitmode(GASNET_WAIT_SPIN) == GASNET_OK);
  CHECK(gasnet_set_waitmode(GASNET_WAIT_BLOCK) == GASNET_OK);
  CHECK(gasnet_set_waitmode(GASNET_WAIT_SPINBLOCK) == GASNET_OK);
  CHECK(gasnet_set_waitmode(4711) == GASNET_ERR_BAD_ARG);
  barrier();
  gasnet_exit(0);
}
