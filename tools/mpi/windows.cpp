// SPDX-License-Identifier: BSD-3-Clause
#include "windows.hpp"

#include "mpi_header.hpp"
#include "part_file.hpp"

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <ctime>
#include <memory>
#include <mutex>
#include <semaphore.h>
#include <thread>
#include <unistd.h>

namespace acre::mpi {
namespace {

using clock = std::chrono::steady_clock;

// Never destroyed: the thread may run until the process ends.
struct state {
  window_wishes wishes;
  std::mutex mutex;
  std::unique_ptr<part_file> file;
  std::thread writer;
  sem_t bell{};  ///< posted by the signal handler and end_windows()
  std::atomic<bool> over = false;
  std::atomic<bool> was_signalled = false;
  struct sigaction before{};  ///< program's handler
  pid_t owner = 0;            ///< process with the writer thread, which forked children lack
};

state* running = nullptr;

void on_signal(int signal, siginfo_t* what, void* context) {
  if (::getpid() != running->owner) {
    ::sigaction(signal, &running->before, nullptr);
    ::raise(signal);
    return;
  }
  const int errno_before = errno;
  running->was_signalled.store(true);
  ::sem_post(&running->bell);
  const struct sigaction& before = running->before;
  if ((before.sa_flags & SA_SIGINFO) != 0) {
    before.sa_sigaction(signal, what, context);
  } else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) {
    before.sa_handler(signal);
  }
  errno = errno_before;
}

void listen_to(int signal, state& all) {
  all.owner = ::getpid();
  ::sigaction(signal, nullptr, &all.before);
  struct sigaction ours{};
  ours.sa_sigaction = &on_signal;
  ours.sa_flags = SA_SIGINFO | SA_RESTART | (all.before.sa_flags & (SA_ONSTACK | SA_NODEFER));
  ours.sa_mask = all.before.sa_mask;
  ::sigaction(signal, &ours, nullptr);
}

timespec as_timespec(clock::time_point time) {
  const auto whole = std::chrono::floor<std::chrono::seconds>(time);
  const std::chrono::nanoseconds rest = time - whole;
  return {.tv_sec = static_cast<time_t>(whole.time_since_epoch().count()),
          .tv_nsec = static_cast<long>(rest.count())};
}

// False if the program replaced the handler.
bool is_still_ours(int signal) {
  struct sigaction now{};
  return ::sigaction(signal, nullptr, &now) == 0 && (now.sa_flags & SA_SIGINFO) != 0 &&
         now.sa_sigaction == &on_signal;
}

// Restores SIGTERM only: other signals' default would end the program unintentionally.
void leave_end_to_program(const state& all) {
  if (all.wishes.signal != SIGTERM || !is_still_ours(SIGTERM)) return;
  ::sigaction(SIGTERM, &all.before, nullptr);
}

// SIGTERM ends the program if that was its default.
void obey_end(const state& all) {
  const bool would_end =
      (all.before.sa_flags & SA_SIGINFO) == 0 && all.before.sa_handler == SIG_DFL;
  if (all.wishes.signal != SIGTERM || !would_end || !is_still_ours(SIGTERM)) return;
  // All ranks write before being killed.
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  ::sigaction(SIGTERM, &all.before, nullptr);
  ::kill(::getpid(), SIGTERM);
}

// @return true at `time`, false if posted
bool wait_until(state& all, clock::time_point time) {
  for (;;) {
    if (all.wishes.every <= 0) {
      if (::sem_wait(&all.bell) == 0) return false;
      continue;
    }
    if (time <= clock::now()) return true;
    const timespec until = as_timespec(time);
    if (::sem_clockwait(&all.bell, CLOCK_MONOTONIC, &until) == 0) return false;
  }
}

void write_windows(state& all) {
  const auto each =
      std::chrono::duration_cast<clock::duration>(std::chrono::duration<double>(all.wishes.every));
  clock::time_point next = clock::now() + each;
  for (;;) {
    const bool is_time = wait_until(all, next);
    if (all.over.load()) return;
    if (is_time) next += each;
    end_window();
    if (all.was_signalled.exchange(false)) obey_end(all);
  }
}

// The thread handles no signals of the program.
void start_writer(state& all) {
  sigset_t every;
  sigset_t before;
  ::sigfillset(&every);
  ::pthread_sigmask(SIG_SETMASK, &every, &before);
  all.writer = std::thread([&all] { write_windows(all); });
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace

void begin_windows(const window_wishes& wishes) {
  if (wishes.folder.empty()) return;
  state& all = *new state;
  all.wishes = wishes;
  int rank = 0;
  int ranks = 1;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
  all.file = std::make_unique<part_file>(wishes.folder, rank, ranks);
  ::sem_init(&all.bell, 0, 0);
  running = &all;
  if (!wishes.have_writer()) return;
  start_writer(all);
  if (wishes.signal != 0) listen_to(wishes.signal, all);
}

void end_window() {
  if (running == nullptr) return;
  const std::lock_guard guard(running->mutex);
  running->file->add_window();
}

void end_windows() {
  if (running == nullptr) return;
  leave_end_to_program(*running);
  running->over.store(true);
  if (running->writer.joinable()) {
    ::sem_post(&running->bell);
    running->writer.join();
  }
  end_window();
}

}  // namespace acre::mpi
