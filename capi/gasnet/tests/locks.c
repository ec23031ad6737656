/* SPDX-License-Identifier: BSD-3-Clause */
/* Locks taken by handlers, and sections without handlers. */
#include "check.h"

enum { add = 200, added = 201, number = 2000 };

static gasnet_hsl_t at_compile_time = GASNET_HSL_INITIALIZER;
static gasnet_hsl_t at_run_time;
static volatile unsigned sum;
static volatile unsigned answers;
static volatile int in_section;

static void add_request(gasnet_token_t token, gasnet_handlerarg_t value) {
  CHECK(!in_section);
  gasnet_hsl_lock(&at_compile_time);
  gasnet_hsl_lock(&at_run_time);
  sum += (unsigned)value;
  gasnet_hsl_unlock(&at_run_time);
  gasnet_hsl_unlock(&at_compile_time);
  CHECK(gasnet_AMReplyShort0(token, added) == GASNET_OK);
}
static void add_answer(gasnet_token_t token) {
  (void)token;
  CHECK(!in_section);
  gasnet_hsl_lock(&at_run_time);
  ++answers;
  gasnet_hsl_unlock(&at_run_time);
}

int main(void) {
  gasnet_handlerentry_t table[] = {{add, (void (*)())add_request}, {added, (void (*)())add_answer}};
  start(table, 2, GASNET_PAGESIZE);
  gasnet_hsl_init(&at_run_time);
  barrier();
  unsigned own = 0;
  for (unsigned i = 0; i < number; ++i) {
    CHECK(gasnet_AMRequestShort1(i % gasnet_nodes(), add, 1) == GASNET_OK);
    gasnet_hold_interrupts();
    in_section = 1;
    own += i;
    in_section = 0;
    gasnet_resume_interrupts();
    gasnet_hsl_lock(&at_compile_time);
    sum += 1000000;
    gasnet_hsl_unlock(&at_compile_time);
    if (gasnet_hsl_trylock(&at_compile_time) == GASNET_OK) gasnet_hsl_unlock(&at_compile_time);
  }
  CHECK(own == number * (number - 1) / 2);
  GASNET_BLOCKUNTIL(answers == number);
  barrier();
  const unsigned mine =
      number / gasnet_nodes() + (gasnet_mynode() < number % gasnet_nodes() ? 1 : 0);
  GASNET_BLOCKUNTIL(sum == number * 1000000u + mine * gasnet_nodes());
  gasnet_hsl_destroy(&at_run_time);
  gasnet_hsl_init(&at_run_time);
  CHECK(gasnet_hsl_trylock(&at_run_time) == GASNET_OK);
  gasnet_hsl_unlock(&at_run_time);
  gasnet_hsl_destroy(&at_run_time);
  barrier();
  gasnet_exit(0);
}
