/* SPDX-License-Identifier: BSD-3-Clause */
/* fork() children of PEs are not PEs: own variables, any exit, calls refused by name. */
#include "check.h"

#include <shmem.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int variable = 5;
static long counter;

static int end_of(pid_t child) {
  int how = 0;
  CHECK(child > 0 && waitpid(child, &how, 0) == child && WIFEXITED(how));
  return WEXITSTATUS(how);
}

static pid_t child_that_exits(int status) {
  const pid_t child = fork();
  if (child != 0) return child;
  if (variable != 5) exit(99);
  variable = 6;
  if (status == 1) shmem_finalize();
  exit(status);
}

static long words[2];

static void call(int which, int me, int next) {
  if (which == 0) shmem_long_p(&counter, 99, me);
  if (which == 1) shmem_long_put(words, words, 2, next);
  if (which == 2) shmem_long_atomic_inc(&counter, next);
  if (which == 3) shmem_barrier_all();
  if (which == 4) shmem_malloc(64);
  if (which == 5) shmem_long_wait_until(&counter, SHMEM_CMP_EQ, 99);
  if (which == 6) shmem_init();
}
enum { calls = 7 };

static void check_refusal(int which) {
  int ends[2];
  char text[500] = "";
  const int me = shmem_my_pe();
  const int next = (me + 1) % shmem_n_pes();
  CHECK(pipe(ends) == 0);
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    call(which, me, next);
    _exit(0);
  }
  close(ends[1]);
  CHECK(read(ends[0], text, sizeof text - 1) > 0);
  close(ends[0]);
  CHECK(end_of(child) == 1);
  CHECK(strstr(text, "fork()") != NULL);
}

int main(void) {
  shmem_init();
  long* const heap = shmem_calloc(1, sizeof *heap);
  for (int which = 0; which < calls; ++which) check_refusal(which);
  const pid_t writer = fork();
  if (writer == 0) {
    *heap = 99;
    _exit(0);
  }
  CHECK(end_of(writer) == 0);
  CHECK(*heap == 0);
  shmem_barrier_all();
  for (int status = 0; status < 3; ++status) {
    CHECK(end_of(child_that_exits(status)) == status);
    CHECK(variable == 5);
    shmem_long_atomic_inc(&counter, 0);
    shmem_barrier_all();
  }
  CHECK(system("exit 3") == 3 << 8);
  FILE* const pipe = popen("echo 42", "r");
  int answer = 0;
  CHECK(pipe != NULL && fscanf(pipe, "%d", &answer) == 1 && answer == 42);
  pclose(pipe);
  CHECK(shmem_long_g(&counter, 0) == 3L * shmem_n_pes());
  shmem_finalize();
  CHECK(variable == 5);
  CHECK(end_of(child_that_exits(2)) == 2);
  CHECK(variable == 5);
  return 0;
}
