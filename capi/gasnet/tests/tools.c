/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests of gasnet_tools.h: time, atomics, environment, thread keys. */
#include "check.h"

#include <gasnet_tools.h>

enum { threads = 3, times = 20000 };

static gasnett_atomic_t counter = gasnett_atomic_init(5);
static gasnett_atomic32_t counter32 = gasnett_atomic32_init(0);
static gasnett_atomic64_t counter64 = gasnett_atomic64_init(0);
static gasnett_strongatomic_t strong = gasnett_strongatomic_init(0);
static gasnett_atomic_t guarding = gasnett_atomic_init(0);
static unsigned guarded;
GASNETT_THREADKEY_DECLARE(mine);
GASNETT_THREADKEY_DEFINE(mine);

static void check_time(void) {
  const gasnett_tick_t begin = gasnett_ticks_now();
  CHECK(gasnett_nsleep(2000000) == 0);
  const gasnett_tick_t end = gasnett_ticks_now();
  CHECK(gasnett_ticks_to_us(end - begin) >= 1900);
  CHECK(gasnett_ticks_to_ns(end - begin) >= 1900000);
  CHECK(gasnett_ticks_to_us(end - begin) < 60000000);
  CHECK(gasnett_tick_granularity() > 0);
  CHECK(gasnett_tick_overhead() > 0 && gasnett_tick_overhead() < 1000);
  CHECK(end != GASNETT_TICK_MIN && end != GASNETT_TICK_MAX);
}

#define CHECK_ATOMIC(NAME, VARIABLE, TOP)                                            \
  do {                                                                               \
    NAME##_set(&VARIABLE, 10, GASNETT_ATOMIC_REL);                                   \
    CHECK(NAME##_read(&VARIABLE, GASNETT_ATOMIC_ACQ) == 10);                         \
    NAME##_increment(&VARIABLE, 0);                                                  \
    CHECK(NAME##_add(&VARIABLE, 5, GASNETT_ATOMIC_MB_PRE) == 16);                    \
    CHECK(NAME##_subtract(&VARIABLE, 14, GASNETT_ATOMIC_NONE) == 2);                 \
    CHECK(!NAME##_decrement_and_test(&VARIABLE, GASNETT_ATOMIC_REL));                \
    CHECK(NAME##_decrement_and_test(&VARIABLE, GASNETT_ATOMIC_ACQ));                 \
    NAME##_decrement(&VARIABLE, 0);                                                  \
    CHECK(NAME##_read(&VARIABLE, 0) == TOP);                                         \
    CHECK(NAME##_signed(NAME##_read(&VARIABLE, 0)) == -1);                           \
    CHECK(!NAME##_compare_and_swap(&VARIABLE, 3, 4, 0));                             \
    CHECK(NAME##_compare_and_swap(&VARIABLE, TOP, 4,                                 \
                                  GASNETT_ATOMIC_REL | GASNETT_ATOMIC_ACQ_IF_TRUE)); \
    CHECK(NAME##_swap(&VARIABLE, 0, GASNETT_ATOMIC_ACQ) == 4);                       \
  } while (0)

static void* work(void* argument) {
  CHECK(gasnett_threadkey_get(mine) == NULL);
  gasnett_threadkey_set(mine, argument);
  for (int i = 0; i < times; ++i) {
    gasnett_atomic_increment(&counter, 0);
    gasnett_atomic32_add(&counter32, 3, 0);
    gasnett_atomic64_add(&counter64, (uint64_t)1 << 40, 0);
    while (!gasnett_atomic_compare_and_swap(&guarding, 0, 1, GASNETT_ATOMIC_ACQ_IF_TRUE)) {
      gasnett_spinloop_hint();
      gasnett_sched_yield();
    }
    ++guarded;
    gasnett_atomic_set(&guarding, 0, GASNETT_ATOMIC_REL);
  }
  CHECK(gasnett_threadkey_get(mine) == argument);
  return NULL;
}

static void check_threads(void) {
  pthread_t all[threads];
  int name[threads];
  gasnett_threadkey_set(mine, name);
  for (int i = 0; i < threads; ++i) CHECK(pthread_create(&all[i], NULL, work, &name[i]) == 0);
  for (int i = 0; i < threads; ++i) CHECK(pthread_join(all[i], NULL) == 0);
  CHECK(gasnett_threadkey_get(mine) == name);
  CHECK(gasnett_atomic_read(&counter, 0) == threads * times);
  CHECK(gasnett_atomic32_read(&counter32, 0) == 3 * threads * times);
  CHECK(gasnett_atomic64_read(&counter64, 0) == (uint64_t)threads * times << 40);
  CHECK(guarded == threads * times);
}

static void check_environment(void) {
  static const char name[] = "ACRE_GASNET_TEST_OF_TOOLS";
  gasnett_unsetenv(name);
  CHECK(gasnett_getenv(name) == NULL);
  CHECK(strcmp(gasnett_getenv_withdefault(name, "otherwise"), "otherwise") == 0);
  CHECK(gasnett_getenv_int_withdefault(name, -7, 0) == -7);
  CHECK(gasnett_getenv_yesno_withdefault(name, 1) == 1);
  CHECK(gasnett_getenv_yesno_withdefault(name, 0) == 0);
  gasnett_setenv(name, "-12");
  CHECK(strcmp(gasnett_getenv(name), "-12") == 0);
  CHECK(strcmp(gasnett_getenv_withdefault(name, "otherwise"), "-12") == 0);
  CHECK(gasnett_getenv_int_withdefault(name, 3, 0) == -12);
  static const struct {
    const char* text;
    int64_t bytes;
  } amounts[] = {{"512", 512}, {"4K", 4096}, {"1.5M", 3 << 19}, {"2 g", (int64_t)2 << 30}};
  for (size_t i = 0; i < sizeof amounts / sizeof *amounts; ++i) {
    gasnett_setenv(name, amounts[i].text);
    CHECK(gasnett_getenv_int_withdefault(name, 3, 1) == amounts[i].bytes);
  }
  gasnett_setenv(name, "3");
  CHECK(gasnett_getenv_int_withdefault(name, 3, 1 << 20) == 3 << 20);
  static const char* const yes[] = {"y", "Yes", "YES", "1"};
  static const char* const no[] = {"n", "No", "NO", "0"};
  for (int i = 0; i < 4; ++i) {
    gasnett_setenv(name, yes[i]);
    CHECK(gasnett_getenv_yesno_withdefault(name, 0) == 1);
    gasnett_setenv(name, no[i]);
    CHECK(gasnett_getenv_yesno_withdefault(name, 1) == 0);
  }
}

static void check_numbers(void) {
  static const char name[] = "ACRE_GASNET_TEST_OF_TOOLS";
  char text[32];
  gasnett_setenv(name, "3/8");
  CHECK(gasnett_getenv_dbl_withdefault(name, 1) == 0.375);
  gasnett_setenv(name, "2.5");
  CHECK(gasnett_getenv_dbl_withdefault(name, 1) == 2.5);
  CHECK(strcmp(gasnett_format_number(3 << 20, text, sizeof text, 1), "3 MB") == 0);
  CHECK(strcmp(gasnett_format_number(-12, text, sizeof text, 0), "-12") == 0);
  CHECK(gasnett_parse_int(gasnett_format_number(5 << 10, text, sizeof text, 1), 1) == 5 << 10);
  CHECK(gasnett_parse_int("0x20", 0) == 32);
}

static void check_bytes(void) {
  static const char text[] = {1, 0, 2, 0, 0, 3};
  char copy[sizeof text];
  CHECK(gasnett_count0s(text, sizeof text) == 3);
  CHECK(gasnett_count0s_copy(copy, text, sizeof text) == 3);
  CHECK(memcmp(copy, text, sizeof text) == 0);
  CHECK(gasnett_count0s_uint64_t(UINT64_C(0x0100020000000003)) == 5);
  CHECK(gasnett_checksum(text, 6) != gasnett_checksum(text, 5));
  CHECK(gasnett_checksum(text, 6) == gasnett_checksum(copy, 6));
  CHECK(gasnett_isLittleEndian() == (*(const char*)&(const int){1} == 1));
}

static gasnett_mutex_t mutex = GASNETT_MUTEX_INITIALIZER;
static gasnett_cond_t condition = GASNETT_COND_INITIALIZER;
static gasnett_rwlock_t readers = GASNETT_RWLOCK_INITIALIZER;
static int said;
static void* say(void* unused) {
  gasnett_mutex_lock(&mutex);
  said = 1;
  gasnett_cond_broadcast(&condition);
  gasnett_mutex_unlock(&mutex);
  return unused;
}
static void check_locks(void) {
  pthread_t other;
  gasnett_mutex_lock(&mutex);
  CHECK(gasnett_mutex_trylock(&mutex) == EBUSY);
  CHECK(pthread_create(&other, NULL, say, NULL) == 0);
  while (!said) gasnett_cond_wait(&condition, &mutex);
  gasnett_mutex_unlock(&mutex);
  CHECK(pthread_join(other, NULL) == 0);
  gasnett_rwlock_rdlock(&readers);
  CHECK(gasnett_rwlock_tryrdlock(&readers) == 0);
  CHECK(gasnett_rwlock_trywrlock(&readers) == EBUSY);
  gasnett_rwlock_unlock(&readers);
  gasnett_rwlock_unlock(&readers);
  CHECK(gasnett_rwlock_trywrlock(&readers) == 0);
  gasnett_rwlock_unlock(&readers);
}

static volatile int caught;
static void catch_it(int number) { caught = number; }
static void check_process(void) {
  const gasnett_sighandlerfn_t before = gasnett_reghandler(SIGUSR1, catch_it);
  raise(SIGUSR1);
  CHECK(caught == SIGUSR1);
  CHECK(gasnett_reghandler(SIGUSR1, before) == catch_it);
  char* const here = gasnett_current_loc;
  CHECK(strstr(here, "check_process") != NULL && strstr(here, "tools.c") != NULL);
  free(here);
  int ends[2];
  CHECK(pipe(ends) == 0);
#ifdef __GLIBC__
  CHECK(gasnett_print_backtrace(ends[1]) == 0);
  char text[16];
  CHECK(read(ends[0], text, sizeof text) == sizeof text);
#else
  CHECK(gasnett_print_backtrace(ends[1]) == 1);
#endif
}

GASNETT_IDENT(acre_test_of_idents, "$Test: of idents $");
GASNETT_INLINE(three) int three(void) { return 3; }

int main(void) {
  check_time();
  start(NULL, 0, GASNET_PAGESIZE);
  CHECK_ATOMIC(gasnett_atomic, counter, 0xFFFFFFFFu);
  CHECK_ATOMIC(gasnett_atomic32, counter32, 0xFFFFFFFFu);
  CHECK_ATOMIC(gasnett_atomic64, counter64, ~(uint64_t)0);
  check_threads();
  check_environment();
  check_numbers();
  check_bytes();
  check_locks();
  check_process();
  CHECK_ATOMIC(gasnett_strongatomic, strong, 0xFFFFFFFFu);
  CHECK(strcmp(acre_test_of_idents, "$Test: of idents $") == 0);
  CHECK(1 << GASNETT_PAGESHIFT == GASNETT_PAGESIZE);
  GASNETT_TRACE_PRINTF("unread: %s", "this");
  gasnett_local_wmb();
  gasnett_local_rmb();
  gasnett_local_mb();
  CHECK(gasnett_cpu_count() > 0);
  CHECK(strlen(gasnett_gethostname()) > 0);
  CHECK(strcmp(GASNETT_CURRENT_FUNCTION, "main") == 0);
  if (GASNETT_PREDICT_FALSE(three() != 3) || PREDICT_FALSE(!GASNETT_PREDICT_TRUE(1))) CHECK(0);
  barrier();
  gasnet_exit(0);
}
