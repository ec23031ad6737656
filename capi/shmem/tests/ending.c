/* SPDX-License-Identifier: BSD-3-Clause */
/* Exit status and output as seen by a launcher: no output is lost (it is buffered, for a pipe). */
#include "check.h"

#include <shmem.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef void (*ending)(void);

static void end_by_global_exit(void) { shmem_global_exit(0); }
static void end_by_failing_global_exit(void) { shmem_global_exit(3); }
static void end_by_exit(void) { exit(5); }

static void check_end(ending end, int status) {
  int ends[2];
  CHECK(pipe(ends) == 0);
  const pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    static const char* const launchers[] = {"PMI_FD", "PMI_RANK", "PMI_SIZE", "PMIX_NAMESPACE",
                                            "PMIX_RANK"};
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers; ++i) unsetenv(launchers[i]);
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(STDERR_FILENO);
    shmem_init();
    printf("last words");
    end();
    _exit(99);
  }
  close(ends[1]);
  char said[100] = "";
  size_t length = 0;
  for (ssize_t got = 1; got > 0; length += (size_t)got) {
    got = read(ends[0], said + length, sizeof said - 1 - length);
    CHECK(got >= 0);
  }
  close(ends[0]);
  int how;
  CHECK(waitpid(child, &how, 0) == child);
  CHECK(WIFEXITED(how) && WEXITSTATUS(how) == status);
  CHECK(strcmp(said, "last words") == 0);
}

int main(void) {
  check_end(end_by_global_exit, 0);
  check_end(end_by_failing_global_exit, 3);
  check_end(end_by_exit, 5);
  shmem_init();
  shmem_sync_all();
  if (shmem_my_pe() == shmem_n_pes() - 1) shmem_global_exit(0);
  for (;;) pause();
}
