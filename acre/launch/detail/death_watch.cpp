// SPDX-License-Identifier: BSD-3-Clause
#include <acre/launch/detail/death_watch.hpp>

#include <acre/base/close_descriptors.hpp>
#include <acre/base/low_numbers_taken.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <span>
#include <string_view>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace acre::launch {
namespace {

void close_all_but(std::span<const int> kept) {
  unsigned next = 0;
  for (const int each : kept) {
    const auto number = static_cast<unsigned>(each);
    if (each >= 0 && number > next) close_descriptors(next, number - 1);
    if (each >= 0) next = number + 1;
  }
  close_descriptors(next, ~0U);
}

/// If the rank only closed its socket, it has two seconds to end. Kernels before 5.3 lack pidfd to
/// distinguish this from death.
void let_rank_speak(int process) {
  constexpr int milliseconds = 2000;
  pollfd death{.fd = process, .events = POLLIN, .revents = 0};
  if (process < 0 || ::poll(&death, 1, milliseconds) != 0) return;
  constexpr std::string_view words =
      "acre: the program has closed file descriptors that it does not own, or has called exec; "
      "ending the job\n";
  static_cast<void>(!::write(STDERR_FILENO, words.data(), words.size()));
}

/// System calls only: other threads may have held locks at fork().
[[noreturn]] void watch(int rank, int process, const last_act& act, char* const* arguments) {
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  ::sigprocmask(SIG_BLOCK, &all, &before);
  ::prctl(PR_SET_NAME, "acre-watch");
  std::array kept{STDERR_FILENO, rank, process, act.descriptor};
  std::ranges::sort(kept);
  close_all_but(kept);
  char word = 0;
  ssize_t got = 0;
  do {
    got = ::recv(rank, &word, 1, 0);
  } while (got < 0 && errno == EINTR);
  if (got != 0) ::_exit(0);
  let_rank_speak(process);
  if (act.descriptor >= 0) {
    ::send(act.descriptor, act.words.data(), act.words.size(), MSG_NOSIGNAL);
  } else {
    for (int number = 0; number <= 2; ++number) {
      ::dup2(::open("/dev/null", O_RDWR | O_CLOEXEC), number);
    }
    ::sigprocmask(SIG_SETMASK, &before, nullptr);
    ::execvp(arguments[0], arguments);
  }
  ::_exit(0);
}

}  // namespace

death_watch::death_watch(const last_act& act) {
  std::vector<char*> arguments;
  arguments.reserve(act.command.size() + 1);
  for (const std::string& each : act.command) arguments.push_back(const_cast<char*>(each.c_str()));
  arguments.push_back(nullptr);
  int ends[2];
  {
    const low_numbers_taken low;
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return;
  }
  const auto process = descriptor(static_cast<int>(::syscall(SYS_pidfd_open, ::getpid(), 0)));
  const pid_t between = ::fork();
  if (between == 0) {
    // Double fork: the program may wait for its children.
    if (::fork() != 0) ::_exit(0);
    watch(ends[0], process.get(), act, arguments.data());
  }
  if (between > 0) ::waitpid(between, nullptr, 0);
  ::close(ends[0]);
  told_ = descriptor(ends[1]);
}

death_watch::~death_watch() {
  if (told_.is_intact()) ::send(told_.get(), "x", 1, MSG_NOSIGNAL);
}

}  // namespace acre::launch
