// SPDX-License-Identifier: BSD-3-Clause
#include "guardian.hpp"

#include "aftermath.hpp"
#include <acre/base/close_descriptors.hpp>
#include <acre/launch/lifeline.hpp>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace acre::tool {
namespace {

std::size_t bytes_of(const char* path) {
  char buffer[4096];
  const int file = ::open(path, O_RDONLY | O_CLOEXEC);
  std::size_t bytes = 0;
  ssize_t got = 0;
  while (file >= 0 && (got = ::read(file, buffer, sizeof buffer)) > 0) {
    bytes += static_cast<std::size_t>(got);
  }
  ::close(file);
  return bytes;
}

// Overwrites arguments and environment, so that an outer job's guardian spares this process.
void change_name() {
  constexpr char name[] = "job-guardian";
  ::prctl(PR_SET_NAME, name);
  const std::size_t words = bytes_of("/proc/self/cmdline");
  const std::size_t all = words + bytes_of("/proc/self/environ");
  if (words <= sizeof name) return;
  char* const first = ::program_invocation_name;
  ::clearenv();
  std::memset(first, 0, all);
  std::memcpy(first, name, sizeof name);
}

void await_end_of(int pipe) {
  char none = 0;
  while (::read(pipe, &none, 1) < 0 && errno == EINTR) {
  }
}

[[noreturn]] void guard(int launcher, const std::string& job_name) {
  ::setsid();
  sigset_t all;
  ::sigfillset(&all);
  ::sigprocmask(SIG_SETMASK, &all, nullptr);
  ::dup2(launcher, STDIN_FILENO);  // NOLINT(clang-analyzer-unix.StdCLibraryFunctions): a pipe's
  static_cast<void>(!::chdir("/"));
  change_name();
  // Releases inherited pipes; also reports readiness.
  close_descriptors(1, ~0U);
  await_end_of(STDIN_FILENO);
  end_processes_of(job_name);
  remove_shared_memory(job_name);
  ::_exit(0);
}

}  // namespace

guardian::guardian(const std::string& job_name) {
  int ends[2];
  int ready[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return;
  read_ = descriptor(ends[0]);
  write_ = descriptor(ends[1]);
  if (::pipe2(ready, O_CLOEXEC) != 0) return;
  const descriptor is_ready(ready[0]);
  descriptor makes_ready(ready[1]);
  // A child without exit signal is ignored by waits for any child. The order of arguments varies by
  // machine; all are zero.
  process_ = static_cast<pid_t>(::syscall(SYS_clone, 0, 0, 0, 0, 0));
  if (process_ == 0) guard(read_.get(), job_name);
  // Before it has its new name, the end of an outer job would kill the guardian.
  makes_ready.reset();
  await_end_of(is_ready.get());
}

guardian::~guardian() {
  if (process_ <= 0) return;
  ::kill(process_, SIGKILL);
  ::waitpid(process_, nullptr, __WALL);
}

std::string guardian::lifeline() const {
  struct stat about{};
  if (!read_.open() || ::fstat(read_.get(), &about) != 0) return {};
  return launch::lifeline_text(
      {.process = ::getpid(), .descriptor = read_.get(), .pipe = about.st_ino});
}

}  // namespace acre::tool
