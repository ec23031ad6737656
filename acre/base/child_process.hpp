// SPDX-License-Identifier: BSD-3-Clause
// Child process for computations that may crash or hang.
#pragma once

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <initializer_list>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

namespace acre {

class child_process {
 public:
  explicit child_process(pid_t number) noexcept : number_(number) {}
  child_process(const child_process&) = delete;
  child_process& operator=(const child_process&) = delete;
  ~child_process() {
    ::kill(number_, SIGKILL);
    while (::waitpid(number_, nullptr, 0) < 0 && errno == EINTR) continue;
  }

 private:
  pid_t number_;
};

/// Called by the child: it ends with its parent.
inline void die_with(pid_t parent) noexcept {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);
}

/// As die_with(), without output, core file or signal handlers.
inline void die_quietly_with(pid_t parent) noexcept {
  die_with(parent);
  for (const int number : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGALRM, SIGTERM, SIGXCPU}) {
    std::signal(number, SIG_DFL);
  }
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  if (const int nowhere = ::open("/dev/null", O_RDWR | O_CLOEXEC); nowhere >= 0) {
    ::dup2(nowhere, STDOUT_FILENO);
    ::dup2(nowhere, STDERR_FILENO);
  }
}

}  // namespace acre
