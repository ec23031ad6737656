/* Children that PEs make by fork() are no PEs: they have variables of their own, and may end in
 * any way. */
#include "check.h"

#include <shmem.h>
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
  if (status == 1) shmem_finalize(); /* does nothing here */
  exit(status);
}

int main(void) {
  shmem_init();
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
