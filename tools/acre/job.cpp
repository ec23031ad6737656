// SPDX-License-Identifier: BSD-3-Clause
#include "job.hpp"

#include "aftermath.hpp"
#include "end_of_rank.hpp"
#include <acre/base/standard_descriptors.hpp>

#include <tools/command_line/files.hpp>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <string_view>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace acre::tool {
namespace {

using std::chrono::milliseconds;
using seconds = std::chrono::duration<double>;

// Time for pipes that foreign processes hold open.
constexpr milliseconds linger_time{200};

constexpr milliseconds output_timeout{1000};

std::string format(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", number);
  return text;
}

std::string on_one_line(std::string_view text) {
  std::string result;
  for (const char each : text) {
    if (each == '\n' || each == '\r') {
      result += ';';
    } else if (each != ' ' || result.empty() || (result.back() != ' ')) {
      result += each;
    }
  }
  while (!result.empty() && (result.back() == ';' || result.back() == ' ')) result.pop_back();
  return result;
}

rlimit raise_open_files() {
  rlimit before{};
  ::getrlimit(RLIMIT_NOFILE, &before);
  rlimit raised = before;
  raised.rlim_cur = raised.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &raised);
  return before;
}

std::vector<pid_t> adopt_orphans(pid_t guardian) {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  std::vector<pid_t> before;
  if (::waitpid(-1, nullptr, WNOHANG) >= 0) before = children();
  before.push_back(guardian);
  return before;
}

}  // namespace

job::job(const run_options& options)
    : options_(options),
      size_(options.ranks()),
      open_files_(raise_open_files()),
      spared_(adopt_orphans(guardian_.process())),
      output_(events_, size_, options.prefix),
      pmi_(events_, size_, name_, guardian_.lifeline()),
      ranks_(size_) {
  if (options.timeout > 0) {
    timeout_at_ = now_ + std::chrono::ceil<milliseconds>(seconds(options.timeout));
  }
}

job::~job() {
  signal_all(SIGKILL);
  end_children(spared_);
  remove_shared_memory(name_);
}

program job::plan(const run_part& part) const {
  program what;
  what.part = part;
  what.ranks = size_;
  what.job = name_;
  if (::isatty(STDOUT_FILENO) != 0) what.terminals += '1';
  if (::isatty(STDERR_FILENO) != 0) what.terminals += '2';
  what.output_file = command_line::file_of_descriptor(STDOUT_FILENO);
  what.signals = signals_.mask_before();
  what.open_files = open_files_;
  return what;
}

void job::prepare(std::deque<starter>& starters) const {
  const std::size_t count = options_.parts.size();
  for (const run_part& part : options_.parts) {
    try {
      starters.emplace_back(plan(part));
    } catch (not_started& reason) {
      if (count > 1) {
        reason.problem = "program " + std::to_string(starters.size() + 1) + " of " +
                         std::to_string(count) + ": " + reason.problem;
      }
      throw;
    }
  }
}

void job::start_ranks() {
  std::deque<starter> starters;
  prepare(starters);
  const descriptor nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  const descriptor from_terminal = input_.open();
  rank_t rank = 0;
  for (std::size_t number = 0; number < starters.size(); ++number) {
    const rank_t end = rank + options_.parts[number].ranks;
    for (; rank < end; ++rank) {
      int input = nothing.get();
      if (rank == 0 && !is_closed(STDIN_FILENO)) {
        input = from_terminal.open() ? from_terminal.get() : STDIN_FILENO;
      }
      pmi_.server().set_program(rank, number);
      add_rank(rank, starters[number].start(rank, input));
    }
  }
  input_.watch();
}

void job::add_rank(rank_t rank, started with) {
  ranks_[rank] = {with.pid, true};
  rank_of_[with.pid] = rank;
  ++alive_;
  pmi_.add(rank, std::move(with.pmi));
  output_.add(rank, std::move(with.output), std::move(with.errors));
}

int job::run() {
  start_ranks();
  while (!is_done() && !left_) {
    wait_and_handle();
    check_clocks();
  }
  if (left_) output_.give_up();
  return ending_.status();
}

bool job::is_done() const {
  if (alive_ > 0 || ending_.is_pending()) return false;
  // A failed write becomes the verdict before output counts as done.
  return (output_.failure() == 0 || ending_.has_verdict()) && output_.is_done();
}

int job::time_to_wait() const {
  auto until = std::min({output_.deadline(now_), ending_.deadline(), timeout_at_});
  if (all_gone_at_) until = std::min(until, *all_gone_at_ + linger_time);
  if (until == clock::time_point::max()) return -1;
  const auto left = std::chrono::ceil<milliseconds>(until - clock::now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, 10'000));
}

void job::wait_and_handle() {
  const auto events = events_.wait(time_to_wait());
  now_ = clock::now();
  for (const event& each : events) handle(each);
}

void job::handle(const event& what) {
  switch (what.what) {
    case source::signals:
      return on_signals();
    case source::sinks:
      return on_notice_of_output();
    case source::pmi:
      if ((what.flags & EPOLLOUT) != 0) pmi_.write(what.rank);
      if ((what.flags & ~std::uint32_t{EPOLLOUT}) != 0) read_pmi(what.rank);
      return after_pmi();
    case source::output:
    case source::errors:
      output_.read(what.rank, what.what, now_);
      return;
    case source::terminal:
      return input_.read();
    case source::input:
      return input_.write();
  }
}

void job::check_clocks() {
  output_.check_clocks(now_);
  check_timeout();
  if (ending_.is_due(now_) || (ending_.is_pending() && alive_ == 0)) end_job(false);
  if (ending_.is_time_to_kill(now_)) {
    ending_.kill_no_more();
    signal_all(SIGKILL);
  }
  if (alive_ == 0) check_pipes_left_open();
}

// The second time, output is no longer awaited.
void job::check_timeout() {
  if (now_ < timeout_at_) return;
  timeout_at_ = now_ + output_timeout;
  const bool is_second = std::exchange(is_late_, true);
  if (!ending_.has_verdict()) {
    std::string line = "acre: the job reached its timeout of " + format(options_.timeout) + " s: ";
    line += alive_ > 0 ? names_of_alive() + " still ran; ending the job\n"
                       : "its ranks had ended, but their output was not read\n";
    report_failure({{timed_out, evidence::proof, std::move(line)}});
  } else if (is_second && alive_ == 0) {
    left_ = true;
  }
}

void job::check_pipes_left_open() {
  if (!all_gone_at_) {
    end_children(spared_);
    all_gone_at_ = now_;
    input_.close();
  }
  if (now_ >= *all_gone_at_ + linger_time) {
    output_.close_pipes(now_);
    all_gone_at_ = now_;
  }
}

void job::on_signals() {
  while (const int signal = signals_.next()) on_signal(signal);
}

void job::on_signal(int signal) {
  if (signal == SIGCHLD) return reap();
  if (signal == SIGTSTP) return on_stop();
  if (signal == SIGCONT) {
    signal_all(SIGCONT);
    return input_.watch();
  }
  const bool to_end = signal != SIGUSR1 && signal != SIGUSR2;
  if (to_end) asked_ = signal;
  if (alive_ == 0 && to_end) {
    left_ = true;
    return ending_.leave(128 + signal);
  }
  if (signals_.is_repeated(signal, now_)) {
    report_failure({{128 + signal, evidence::proof, {}}});
    return end_job(true);
  }
  signal_all(signal);
}

void job::on_stop() {
  signal_all(SIGSTOP);
  ::raise(SIGSTOP);
}

void job::on_notice_of_output() {
  const int failure = output_.pop_notice();
  if (failure == 0) return;
  std::string line;
  if (failure != EPIPE) {
    const char* const reason = is_closed(STDOUT_FILENO) ? "it is closed" : std::strerror(failure);
    line = std::string("acre: cannot write the output: ") + reason + "; ending the job\n";
  }
  report_failure({{failure == EPIPE ? 128 + SIGPIPE : 1, evidence::proof, std::move(line)}});
}

void job::reap() {
  int how = 0;
  pid_t ended = 0;
  while ((ended = ::waitpid(-1, &how, WNOHANG)) > 0) {
    const auto found = rank_of_.find(ended);
    if (found == rank_of_.end()) continue;  // an adopted orphan
    const rank_t rank = found->second;
    rank_of_.erase(found);
    ranks_[rank].alive = false;
    --alive_;
    if (!first_ended_) first_ended_ = rank;
    on_end(rank, how);
  }
}

void job::on_end(rank_t rank, int how) {
  // Shows the last output and messages of the rank before the reason of its end.
  read_pmi(rank);
  after_pmi();
  output_.drain(rank, now_);
  if (auto reason =
          reason_of({name_of(rank), how, asked_, pmi_.server().stage_of(rank)}, memory_)) {
    report_failure(std::move(*reason));
  }
}

std::string job::name_of(rank_t rank) const {
  return "acre: rank " + std::to_string(rank) + " on host " + host_ + " (pid " +
         std::to_string(ranks_[rank].pid) + ")";
}

void job::end_job(bool at_once) {
  if (const std::string line = ending_.begin(); !line.empty()) output_.say(line, now_);
  signal_all(at_once ? SIGKILL : SIGTERM);
  if (at_once) {
    ending_.kill_no_more();
  } else {
    ending_.kill_after_grace(now_);
  }
}

std::string job::names_of_alive() const {
  std::string names;
  for (rank_t first = 0; first < size_; ++first) {
    if (!ranks_[first].alive) continue;
    rank_t last = first;
    while (last + 1 < size_ && ranks_[last + 1].alive) ++last;
    names += (names.empty() ? "" : ", ") + std::to_string(first);
    if (last > first) names += (last > first + 1 ? "-" : ", ") + std::to_string(last);
    first = last;
  }
  return (alive_ == 1 ? "rank " : "ranks ") + names + " of " + std::to_string(size_) + " on host " +
         host_;
}

// Unreaped PIDs cannot be reused.
void job::signal_all(int signal) const {
  for (const rank_process& each : ranks_) {
    if (each.alive) ::kill(-each.pid, signal);
  }
}

void job::read_pmi(rank_t rank) {
  const bool is_closed_now = pmi_.read(rank);
  const bool is_inside = pmi_.server().stage_of(rank) == pmi_server::stage::inside;
  if (!is_closed_now || !ranks_[rank].alive || !is_inside) return;
  report_failure({{1, evidence::silence,
                   name_of(rank) + " has closed its connection to the launcher; ending the job\n"},
                  disconnect_grace});
}

void job::after_pmi() {
  pmi_.answer();
  if (const auto request = pmi_.server().pop_abort()) on_abort(*request);
  if (first_ended_ && pmi_.server().waiting() > 0) {
    report_failure(
        {{1, evidence::complaint,
          name_of(*first_ended_) + " ended while other ranks wait for it; ending the job\n"},
         settling});
  }
}

void job::on_abort(const abort_request& request) {
  std::string line =
      name_of(request.rank) + " aborted the job with status " + std::to_string(request.status);
  if (!request.why.empty()) line += ": " + on_one_line(request.why);
  output_.drain(request.rank, now_);
  if (request.status == 0) {
    // shmem_global_exit with success needs no message.
    return report_failure({{0, evidence::departure, {}}, settling});
  }
  report_failure(
      {{request.status & 255, evidence::complaint, line + "; ending the job\n"}, settling});
}

}  // namespace acre::tool
