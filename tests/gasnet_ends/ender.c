/* SPDX-License-Identifier: BSD-3-Clause */
/* Ends as its argument specifies; only a proper end flushes the output. */
#include <gasnet.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { end_here = 200, count_here = 201, end_status = 7, part = 4096 };

static int is(const char* how, const char* name) { return strcmp(how, name) == 0; }
static int in_charge(void) { return gasnet_mynode() == gasnet_nodes() - 1; }

static void barrier(void) {
  gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
  gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS);
}
static void poll_for_ever(void) {
  for (;;) gasnet_AMPoll();
}
static void end_handler(gasnet_token_t token) {
  (void)token;
  gasnet_exit(end_status);
}
static unsigned counted;
static void count_handler(gasnet_token_t token) {
  (void)token;
  __atomic_fetch_add(&counted, 1, __ATOMIC_RELAXED);
}

static void* call_for_ever(void* name) {
  static char buffer[part];
  const char* const call = name;
  gasnet_seginfo_t all[8];
  gasnet_getSegmentInfo(all, 8);
  const gasnet_node_t node = (gasnet_mynode() + 1) % gasnet_nodes();
  char* const there = all[node].addr;
  for (;;) {
    if (is(call, "put")) gasnet_put(node, there, buffer, part);
    if (is(call, "get")) gasnet_get(buffer, node, there, 8);
    if (is(call, "put-nb")) gasnet_wait_syncnb(gasnet_put_nb_bulk(node, there, buffer, part));
    if (is(call, "put-nbi")) {
      gasnet_put_nbi(node, there, buffer, 8);
      gasnet_wait_syncnbi_puts();
    }
    if (is(call, "request")) {
      for (int i = 0; i < 50; ++i) gasnet_AMRequestShort0(node, count_here);
      gasnet_AMPoll();
    }
    if (is(call, "medium")) {
      gasnet_AMRequestMedium0(node, count_here, buffer, 500);
      gasnet_AMPoll();
    }
    if (is(call, "wait")) barrier();
    if (is(call, "block")) {
      const unsigned before = __atomic_load_n(&counted, __ATOMIC_RELAXED);
      gasnet_AMRequestShort0(node, count_here);
      GASNET_BLOCKUNTIL(__atomic_load_n(&counted, __ATOMIC_RELAXED) != before);
    }
    if (is(call, "poll") && gasnet_AMPoll() != GASNET_OK) abort();
    if (is(call, "ask")) {
      gasnet_getMaxLocalSegmentSize();
      gasnet_getMaxGlobalSegmentSize();
      gasnet_getSegmentInfo(all, 8);
    }
  }
  return NULL;
}
static void begin_calls(const char* call) {
  pthread_t thread;
  const int threads = is(call, "wait") ? 1 : 2; /* a barrier is called by one thread at a time */
  for (int i = 0; i < threads; ++i) pthread_create(&thread, NULL, call_for_ever, (void*)call);
  usleep(100000);
}

static void* end_well(void* unused) {
  gasnet_exit(0);
  return unused;
}
static void* end_thread(void* unused) {
  (void)unused;
  gasnet_exit(end_status);
}
static void end_by_signal(int unused) {
  (void)unused;
  gasnet_exit(end_status);
}
/* Blocks as on a lock that is never released. */
static volatile int stuck;
int clock_gettime(clockid_t clock, struct timespec* now) {
  while (stuck) pause();
  return (int)syscall(SYS_clock_gettime, clock, now);
}
static void ignore_signal(int unused) { (void)unused; }
static void ring_on_and_on(void) {
  const struct itimerval each = {{0, 3000}, {0, 3000}};
  signal(SIGALRM, ignore_signal);
  setitimer(ITIMER_REAL, &each, NULL);
}
static void say_when_exiting(void) {
  printf("at exit %u of %u\n", gasnet_mynode(), gasnet_nodes());
}

int main(int argc, char** argv) {
  if (argc < 2) return 1;
  const char* const how = argv[1];
  gasnet_init(&argc, &argv);
  printf("last words of %u\n", gasnet_mynode());
  if (is(how, "before-attach")) gasnet_exit(0);
  if (is(how, "before-attach-with-status")) gasnet_exit(end_status);
  if (is(how, "return-before-attach")) return 0;
  if (is(how, "one-before-attach") && in_charge()) {
    usleep(50000);
    gasnet_exit(end_status);
  }
  gasnet_handlerentry_t table[] = {{end_here, (void (*)())end_handler},
                                   {count_here, (void (*)())count_handler}};
  gasnet_attach(table, 2, GASNET_PAGESIZE, 0);
  barrier();

  if (is(how, "all")) gasnet_exit(0);
  if (is(how, "all-with-status")) gasnet_exit(end_status);
  if (is(how, "return")) return 0;
  if (is(how, "return-with-status")) return end_status;
  if (is(how, "exit")) exit(0);
  if (is(how, "return-beside-exit")) {
    pthread_t thread;
    pthread_create(&thread, NULL, end_well, NULL);
    usleep(500 * gasnet_mynode());
    return 0;
  }
  if (is(how, "atexit")) {
    atexit(say_when_exiting);
    gasnet_exit(0);
  }
  if (argc > 2) { /* with a second argument, threads are blocked */
    atexit(say_when_exiting);
    begin_calls(argv[2]);
    if (is(how, "return-amid")) return 0;
    gasnet_exit(0);
  }
  if (is(how, "apart")) {
    usleep(700000 * gasnet_mynode());
    gasnet_exit(0);
  }
  if (is(how, "return-apart")) {
    usleep(700000 * gasnet_mynode());
    return 0;
  }
  if (is(how, "one-status-of-all")) gasnet_exit(in_charge() ? end_status : 0);
  if (is(how, "return-and-exit")) {
    if (in_charge()) gasnet_exit(0);
    return 0;
  }
  if (is(how, "in-handler")) {
    if (in_charge()) gasnet_AMRequestShort0(0, end_here);
    poll_for_ever();
  }
  if (is(how, "threads")) {
    pthread_t threads[3];
    for (int i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, end_thread, NULL);
    poll_for_ever();
  }
  if (is(how, "own-timers")) {
    ring_on_and_on();
    usleep(200000 * gasnet_mynode());
    gasnet_exit(0);
  }
  if (is(how, "in-signal")) {
    signal(SIGALRM, end_by_signal);
    if (in_charge()) ualarm(200000, 0);
    call_for_ever("request");
  }
  if (is(how, "stuck")) {
    while (!in_charge()) {
      gasnet_AMPoll();
      usleep(1000);
    }
    stuck = 1;
    gasnet_exit(end_status);
  }
  if (in_charge()) {
    usleep(50000);
    gasnet_exit(is(how, "one-polling-well") ? 0 : end_status);
  }
  if (is(how, "one-polling") || is(how, "one-polling-well")) poll_for_ever();
  if (is(how, "one-in-barrier")) barrier();
  if (is(how, "one-waiting")) {
    volatile int never = 0;
    GASNET_BLOCKUNTIL(never);
  }
  if (is(how, "one-computing")) {
    for (volatile unsigned long i = 0;; ++i) continue;
  }
  return 99;
}
