// SPDX-License-Identifier: BSD-3-Clause
#include "job_signals.hpp"

#include <array>
#include <sys/signalfd.h>
#include <unistd.h>

namespace acre::tool {
namespace {

// `timeout` signals the process, then its group: one request.
constexpr std::chrono::milliseconds one_request{100};

constexpr std::array forwarded{SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};

bool is_ignored(int signal) {
  struct sigaction action{};
  return ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

job_signals::job_signals(event_queue& events) {
  sigset_t listened;
  ::sigemptyset(&listened);
  for (const int each : forwarded) {
    if (!is_ignored(each)) ::sigaddset(&listened, each);  // else stays ignored, as under nohup
  }
  for (const int each : {SIGCHLD, SIGTSTP, SIGCONT}) ::sigaddset(&listened, each);
  sigset_t blocked = listened;
  for (const int each : {SIGPIPE, SIGTTIN, SIGXFSZ}) ::sigaddset(&blocked, each);
  std::signal(SIGCHLD, SIG_DFL);
  ::sigprocmask(SIG_BLOCK, &blocked, &before_);
  signals_ = needed("signalfd", ::signalfd(-1, &listened, SFD_CLOEXEC | SFD_NONBLOCK));
  events.add(signals_.get(), EPOLLIN, source::signals);
}

int job_signals::next() {
  signalfd_siginfo info{};
  const bool arrived =
      ::read(signals_.get(), &info, sizeof info) == static_cast<ssize_t>(sizeof info);
  return arrived ? static_cast<int>(info.ssi_signo) : 0;
}

bool job_signals::is_repeated(int signal, clock::time_point now) {
  if (signal != SIGINT && signal != SIGTERM) return false;
  const auto [asked, is_first] = asked_at_.try_emplace(signal, now);
  return !is_first && now - asked->second >= one_request;
}

}  // namespace acre::tool
