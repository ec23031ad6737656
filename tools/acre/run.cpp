// One loop watches everything that can happen to a job: output of the ranks,
// their PMI messages, signals to the launcher, ranks that end. Whatever goes
// wrong first becomes the verdict: one line for the user and one exit status.
// From then on the job only ends: SIGTERM to all, SIGKILL shortly after.
#include "run.hpp"

#include "aftermath.hpp"
#include "guardian.hpp"
#include "memory_watch.hpp"
#include "output.hpp"
#include "pmi_server.hpp"
#include "spawn.hpp"
#include <acre/base/descriptor.hpp>
#include <acre/base/host_name.hpp>
#include <acre/base/resource_limits.hpp>
#include <acre/base/standard_descriptors.hpp>
#include <acre/launch/job_name.hpp>

#include <tools/command_line/files.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <map>
#include <optional>
#include <sched.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <unordered_map>

namespace acre::tool {
namespace {

using std::chrono::milliseconds;

// Between SIGTERM and SIGKILL.
constexpr milliseconds grace{300};

// A rank that closes its connection is usually about to end, and its end says why.
constexpr milliseconds farewell{1000};

// A rank that was killed makes others fail, and their complaints may be heard
// first: so a complaint waits for a moment whether a better reason turns up.
constexpr milliseconds settling{20};

// Output pipes that stay open after all processes are gone are held by strangers.
constexpr milliseconds afterglow{200};

// `timeout` sends SIGTERM to a process and then to its group: that is one request.
constexpr milliseconds one_request{100};

constexpr std::array forwarded{SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};

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

bool same_file(int one, int other) {
  struct stat first{}, second{};
  return ::fstat(one, &first) == 0 && ::fstat(other, &second) == 0 &&
         first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

rlimit raise_open_files() {
  rlimit before{};
  ::getrlimit(RLIMIT_NOFILE, &before);
  rlimit raised = before;
  raised.rlim_cur = raised.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &raised);
  return before;
}

bool is_ignored(int signal) {
  struct sigaction action{};
  return ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

/// Without this call the launcher would hear of nothing that happens.
not_started cannot_watch(const char* call) {
  const int problem = errno;
  return {
      std::string("the launcher cannot watch its ranks: ") + call + ": " + std::strerror(problem),
      advice_for_refused_call(call, problem, "start fewer ranks"), 1};
}

descriptor needed(const char* call, int opened) {
  if (opened < 0) throw cannot_watch(call);
  return descriptor(opened);
}

// --- the job -----------------------------------------------------------------

enum class source : std::uint32_t { signals, sinks, pmi, output, errors, terminal, input };

struct pipe_end {
  descriptor from;
  stream lines;
  merger* merge = nullptr;
};

struct rank_state {
  pid_t pid = -1;
  bool alive = false;
  descriptor pmi;
  bool pmi_wants_room = false;
  pipe_end output;
  pipe_end errors;
};

/// How sure it is that a rank's end came first. A rank that loses another may say
/// so, exit with a status, or abort over an exception; it does not just leave.
enum class evidence { silence, complaint, abortion, departure, proof };

/// Why and how the job ends. It is replaced by one of better evidence only.
struct verdict {
  int status = 0;
  evidence weight = evidence::complaint;
  std::string line;  // empty: nothing to be said
};

class job {
 public:
  explicit job(const run_options& options);
  job(const job&) = delete;
  job& operator=(const job&) = delete;
  ~job();

  [[nodiscard]] int run();

 private:
  void listen_to_signals();
  void start_ranks();
  void add_rank(rank_t rank, started with);

  void watch(int number, std::uint32_t events, source what, rank_t rank = 0,
             int how = EPOLL_CTL_ADD);
  void wait_and_handle();
  void handle(source what, rank_t rank, std::uint32_t events);
  void check_clocks();
  [[nodiscard]] int time_to_wait() const;

  void on_signals();
  void on_signal(int signal);
  [[nodiscard]] bool is_repeated(int signal);
  void on_stop();
  void on_sinks();
  void reap();
  void on_end(rank_t rank, int how);

  void read_pmi(rank_t rank);
  void write_pmi(rank_t rank);
  void after_pmi();
  bool read_output(rank_t rank, source what);
  void drain(rank_t rank);
  void resume_paused();
  pipe_end& end_of(rank_t rank, source what);

  void read_terminal();
  void write_input();
  void close_input();

  void accuse(verdict found, milliseconds wait);
  void end_job(bool at_once);
  void signal_all(int signal) const;
  [[nodiscard]] std::string name_of(rank_t rank) const;
  [[nodiscard]] bool drained() const;

  const run_options& options_;
  const std::string name_ = runtime::make_job_name();
  const std::string host_ = host_name();
  program program_;
  std::vector<pid_t> strangers_;  // children that were there before us, and the guardian
  guardian guardian_{name_};
  sigset_t listened_{};

  descriptor epoll_;
  descriptor signals_;
  descriptor notice_;
  descriptor input_;  // to rank 0, when our standard input is a terminal
  std::unique_ptr<sink> output_;
  std::unique_ptr<sink> errors_;  // none when it is the same file as the output
  std::unique_ptr<merger> output_merger_;
  std::unique_ptr<merger> errors_merger_own_;
  merger* errors_merger_ = nullptr;

  const memory_watch memory_;
  pmi_server server_;
  std::vector<rank_state> ranks_;
  std::unordered_map<pid_t, rank_t> rank_of_;
  std::optional<rank_t> first_ended_;
  rank_t alive_ = 0;
  int asked_ = 0;                              // the last signal that asked us to end
  std::map<int, clock::time_point> asked_at_;  // first, by signal
  bool terminal_watched_ = false;
  bool ending_ = false;
  bool left_ = false;                              // the user does not want to wait for the output
  std::vector<std::pair<rank_t, source>> paused_;  // whose pipes are not read for now

  std::string typed_;  // read from the terminal, not yet taken by rank 0

  clock::time_point now_ = clock::now();
  std::optional<verdict> verdict_;
  clock::time_point verdict_at_ = clock::time_point::max();
  clock::time_point kill_at_ = clock::time_point::max();
  std::optional<clock::time_point> all_gone_at_;
  std::array<char, 65536> buffer_;
};

job::job(const run_options& options)
    : options_(options), server_(options.ranks, name_, guardian_.lifeline()) {
  remove_shared_memory_of_lost_jobs();
  program_.command = options.command;
  program_.ranks = options.ranks;
  program_.job = name_;
  if (::isatty(STDOUT_FILENO) != 0) program_.terminals += '1';
  if (::isatty(STDERR_FILENO) != 0) program_.terminals += '2';
  program_.output_file = command_line::file_of_descriptor(STDOUT_FILENO);
  program_.open_files = raise_open_files();
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  if (::waitpid(-1, nullptr, WNOHANG) >= 0) strangers_ = children();
  strangers_.push_back(guardian_.process());

  epoll_ = needed("epoll_create1", ::epoll_create1(EPOLL_CLOEXEC));
  notice_ = needed("eventfd", ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  listen_to_signals();
  watch(notice_.get(), EPOLLIN, source::sinks);

  output_ = std::make_unique<sink>(STDOUT_FILENO, notice_.get());
  output_merger_ = std::make_unique<merger>(*output_);
  errors_merger_ = output_merger_.get();
  if (is_closed(STDOUT_FILENO) || !same_file(STDOUT_FILENO, STDERR_FILENO)) {
    errors_ = std::make_unique<sink>(STDERR_FILENO, notice_.get());
    errors_merger_own_ = std::make_unique<merger>(*errors_);
    errors_merger_ = errors_merger_own_.get();
  }
}

job::~job() {
  signal_all(SIGKILL);
  end_children(strangers_);
  remove_shared_memory(name_);
}

void job::listen_to_signals() {
  sigset_t blocked;
  ::sigemptyset(&listened_);
  for (const int each : forwarded) {
    if (!is_ignored(each)) ::sigaddset(&listened_, each);  // nohup means it
  }
  for (const int each : {SIGCHLD, SIGTSTP, SIGCONT}) ::sigaddset(&listened_, each);
  blocked = listened_;
  for (const int each : {SIGPIPE, SIGTTIN, SIGXFSZ}) ::sigaddset(&blocked, each);
  std::signal(SIGCHLD, SIG_DFL);
  ::sigprocmask(SIG_BLOCK, &blocked, &program_.signals);
  signals_ = needed("signalfd", ::signalfd(-1, &listened_, SFD_CLOEXEC | SFD_NONBLOCK));
  watch(signals_.get(), EPOLLIN, source::signals);
}

void job::start_ranks() {
  starter start(program_);
  const descriptor nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  descriptor from_terminal;
  if (::isatty(STDIN_FILENO) != 0) {
    int both[2];
    if (::pipe2(both, O_CLOEXEC) == 0) {
      from_terminal = descriptor(both[0]);
      input_ = descriptor(both[1]);
      ::fcntl(input_.get(), F_SETFL, O_NONBLOCK);
    }
  }
  ranks_.resize(options_.ranks);
  for (rank_t rank = 0; rank < options_.ranks; ++rank) {
    int input = nothing.get();
    if (rank == 0 && !is_closed(STDIN_FILENO)) {
      input = from_terminal.open() ? from_terminal.get() : STDIN_FILENO;
    }
    add_rank(rank, start.start(rank, input));
  }
  if (input_.open()) {
    terminal_watched_ = true;
    watch(STDIN_FILENO, EPOLLIN, source::terminal);
  }
}

void job::add_rank(rank_t rank, started with) {
  rank_state& state = ranks_[rank];
  state.pid = with.pid;
  state.alive = true;
  state.pmi = std::move(with.pmi);
  state.output.from = std::move(with.output);
  state.output.merge = output_merger_.get();
  state.errors.from = std::move(with.errors);
  state.errors.merge = errors_merger_;
  if (options_.prefix) {
    state.output.lines.prefix = std::string(1, '[').append(std::to_string(rank)).append("] ");
    state.errors.lines.prefix = state.output.lines.prefix;
  }
  rank_of_[with.pid] = rank;
  ++alive_;
  watch(state.pmi.get(), EPOLLIN, source::pmi, rank);
  watch(state.output.from.get(), EPOLLIN, source::output, rank);
  watch(state.errors.from.get(), EPOLLIN, source::errors, rank);
}

int job::run() {
  start_ranks();
  while (!drained() && !left_) {
    wait_and_handle();
    check_clocks();
  }
  if (left_) {
    output_->give_up();
    if (errors_) errors_->give_up();
  }
  return verdict_ ? verdict_->status : 0;
}

bool job::drained() const {
  if (alive_ > 0 || (verdict_ && !ending_)) return false;
  const bool open = std::ranges::any_of(ranks_, [](const rank_state& each) {
    return each.output.from.open() || each.errors.from.open();
  });
  // A failed write must have become the verdict first.
  const bool told = output_->failure() == 0 || verdict_;
  return !open && told && output_->idle() && (!errors_ || errors_->idle());
}

// --- waiting for what happens --------------------------------------------------

void job::watch(int number, std::uint32_t events, source what, rank_t rank, int how) {
  epoll_event event{};
  event.events = events;
  event.data.u64 = std::uint64_t{static_cast<std::uint32_t>(what)} << 32 | rank;
  const bool is_refused = ::epoll_ctl(epoll_.get(), how, number, &event) != 0;
  // One that has been closed meanwhile is watched no more.
  if (is_refused && errno != EBADF && errno != ENOENT && errno != EEXIST) {
    throw cannot_watch("epoll_ctl");
  }
}

int job::time_to_wait() const {
  auto until = std::min({output_merger_->deadline(now_), errors_merger_->deadline(now_), kill_at_});
  if (verdict_ && !ending_) until = std::min(until, verdict_at_);
  if (all_gone_at_) until = std::min(until, *all_gone_at_ + afterglow);
  if (until == clock::time_point::max()) return -1;
  const auto left = std::chrono::ceil<milliseconds>(until - clock::now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, 10'000));
}

void job::wait_and_handle() {
  std::array<epoll_event, 64> events;
  const int count =
      ::epoll_wait(epoll_.get(), events.data(), static_cast<int>(events.size()), time_to_wait());
  if (count < 0 && errno != EINTR) throw cannot_watch("epoll_wait");
  now_ = clock::now();
  for (int i = 0; i < count; ++i) {
    const std::uint64_t tag = events[static_cast<std::size_t>(i)].data.u64;
    handle(static_cast<source>(tag >> 32), static_cast<rank_t>(tag),
           events[static_cast<std::size_t>(i)].events);
  }
}

void job::handle(source what, rank_t rank, std::uint32_t events) {
  switch (what) {
    case source::signals:
      return on_signals();
    case source::sinks:
      return on_sinks();
    case source::pmi:
      if ((events & EPOLLOUT) != 0) write_pmi(rank);
      if ((events & ~std::uint32_t{EPOLLOUT}) != 0) read_pmi(rank);
      return after_pmi();
    case source::output:
    case source::errors:
      read_output(rank, what);
      return;
    case source::terminal:
      return read_terminal();
    case source::input:
      return write_input();
  }
}

void job::check_clocks() {
  resume_paused();
  output_merger_->expire(now_);
  errors_merger_->expire(now_);
  if (verdict_ && !ending_ && (now_ >= verdict_at_ || alive_ == 0)) end_job(false);
  if (now_ >= kill_at_) {
    kill_at_ = clock::time_point::max();
    signal_all(SIGKILL);
  }
  if (alive_ == 0 && !all_gone_at_) {
    end_children(strangers_);
    all_gone_at_ = now_;
    close_input();
  }
  if (all_gone_at_ && now_ >= *all_gone_at_ + afterglow) {
    for (rank_state& each : ranks_) {
      for (pipe_end* end : {&each.output, &each.errors}) {
        if (end->lines.paused || !end->from.open()) continue;
        end->merge->end(end->lines, now_);
        end->from.reset();
      }
    }
    all_gone_at_ = now_;
  }
}

// --- signals ---------------------------------------------------------------------

void job::on_signals() {
  signalfd_siginfo info{};
  while (::read(signals_.get(), &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
    on_signal(static_cast<int>(info.ssi_signo));
  }
}

void job::on_signal(int signal) {
  if (signal == SIGCHLD) return reap();
  if (signal == SIGTSTP) return on_stop();
  if (signal == SIGCONT) {
    signal_all(SIGCONT);
    if (input_.open() && !std::exchange(terminal_watched_, true)) {
      watch(STDIN_FILENO, EPOLLIN, source::terminal);
    }
    return;
  }
  const bool to_end = signal != SIGUSR1 && signal != SIGUSR2;
  if (to_end) asked_ = signal;
  if (alive_ == 0 && to_end) {
    left_ = true;
    if (!verdict_) verdict_ = verdict{128 + signal, evidence::proof, {}};
    return;
  }
  if (is_repeated(signal)) {
    accuse({128 + signal, evidence::proof, {}}, milliseconds(0));
    return end_job(true);
  }
  signal_all(signal);
}

bool job::is_repeated(int signal) {
  if (signal != SIGINT && signal != SIGTERM) return false;
  const auto [asked, is_first] = asked_at_.try_emplace(signal, now_);
  return !is_first && now_ - asked->second >= one_request;
}

void job::on_stop() {
  signal_all(SIGSTOP);
  ::raise(SIGSTOP);
}

void job::on_sinks() {
  eventfd_t ignored = 0;
  ::eventfd_read(notice_.get(), &ignored);
  const int failure = output_->failure();
  if (failure == 0) return;
  std::string line;
  if (failure != EPIPE) {
    const char* const reason = is_closed(STDOUT_FILENO) ? "it is closed" : std::strerror(failure);
    line = std::string("acre: cannot write the output: ") + reason + "; ending the job\n";
  }
  accuse({failure == EPIPE ? 128 + SIGPIPE : 1, evidence::proof, std::move(line)}, milliseconds(0));
}

// --- ranks that end ----------------------------------------------------------------

void job::reap() {
  int how = 0;
  pid_t ended = 0;
  while ((ended = ::waitpid(-1, &how, WNOHANG)) > 0) {
    const auto found = rank_of_.find(ended);
    if (found == rank_of_.end()) continue;  // an orphan that came to us
    const rank_t rank = found->second;
    rank_of_.erase(found);
    ranks_[rank].alive = false;
    --alive_;
    if (!first_ended_) first_ended_ = rank;
    on_end(rank, how);
  }
}

void job::on_end(rank_t rank, int how) {
  // What it said last counts, and is shown before what we say about it.
  read_pmi(rank);
  after_pmi();
  drain(rank);
  const auto stage = server_.stage_of(rank);
  if (WIFSIGNALED(how)) {
    const int signal = WTERMSIG(how);
    if (signal == asked_) return accuse({128 + signal, evidence::proof, {}}, milliseconds(0));
    const bool aborted = signal == SIGABRT;
    std::string line = name_of(rank) + " was killed by signal " + std::to_string(signal) + " (" +
                       ::strsignal(signal) + ")";
    if (const std::string why = signal == SIGKILL ? memory_.what_ran_out() : ""; !why.empty()) {
      line += ": " + why;
    }
    accuse(
        {128 + signal, aborted ? evidence::abortion : evidence::proof, line + "; ending the job\n"},
        aborted ? settling : milliseconds(0));
  } else if (const int status = WEXITSTATUS(how); status != 0) {
    if (asked_ != 0 && status == 128 + asked_) {
      return accuse({status, evidence::proof, {}}, milliseconds(0));
    }
    // One that has left the job in order is missed by nobody: the others may finish.
    accuse({status, evidence::complaint,
            name_of(rank) + " exited with status " + std::to_string(status) + "; ending the job\n"},
           stage == pmi_server::stage::finished ? grace : settling);
  } else if (stage == pmi_server::stage::inside) {
    if (asked_ != 0) return accuse({128 + asked_, evidence::proof, {}}, milliseconds(0));
    accuse({1, evidence::departure,
            name_of(rank) + " exited without leaving the job first; ending the job\n"},
           settling);
  }
}

std::string job::name_of(rank_t rank) const {
  return "acre: rank " + std::to_string(rank) + " on host " + host_ + " (pid " +
         std::to_string(ranks_[rank].pid) + ")";
}

void job::accuse(verdict found, milliseconds wait) {
  if (ending_) return;
  if (!verdict_ || found.weight > verdict_->weight) verdict_ = std::move(found);
  verdict_at_ = std::min(verdict_at_, now_ + wait);
}

void job::end_job(bool at_once) {
  if (!std::exchange(ending_, true) && !verdict_->line.empty()) {
    errors_merger_->say(verdict_->line, now_);
  }
  signal_all(at_once ? SIGKILL : SIGTERM);
  kill_at_ = at_once ? clock::time_point::max() : now_ + grace;
}

// Only groups of ranks that were not reaped: their numbers are not free for others.
void job::signal_all(int signal) const {
  for (const rank_state& each : ranks_) {
    if (each.alive) ::kill(-each.pid, signal);
  }
}

// --- PMI ------------------------------------------------------------------------

void job::read_pmi(rank_t rank) {
  rank_state& state = ranks_[rank];
  while (state.pmi.open()) {
    const ssize_t got = ::recv(state.pmi.get(), buffer_.data(), buffer_.size(), MSG_DONTWAIT);
    if (got > 0) {
      server_.receive(rank, {buffer_.data(), static_cast<std::size_t>(got)});
    } else if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
      return;
    } else {
      state.pmi.reset();
      if (!state.alive || server_.stage_of(rank) != pmi_server::stage::inside) return;
      accuse({1, evidence::silence,
              name_of(rank) + " has closed its connection to the launcher; ending the job\n"},
             farewell);
    }
  }
}

void job::write_pmi(rank_t rank) {
  rank_state& state = ranks_[rank];
  bool blocked = false;
  while (state.pmi.open() && !blocked) {
    const std::string_view bytes = server_.outgoing(rank);
    if (bytes.empty()) break;
    const ssize_t sent =
        ::send(state.pmi.get(), bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent >= 0) {
      server_.sent(rank, static_cast<std::size_t>(sent));
    } else if (errno == EAGAIN) {
      blocked = true;
    } else if (errno != EINTR) {
      return;  // it is gone; read_pmi will find out
    }
  }
  if (state.pmi.open() && blocked != std::exchange(state.pmi_wants_room, blocked)) {
    watch(state.pmi.get(), blocked ? EPOLLIN | EPOLLOUT : EPOLLIN, source::pmi, rank,
          EPOLL_CTL_MOD);
  }
}

void job::after_pmi() {
  for (const rank_t each : server_.take_ready()) write_pmi(each);
  if (auto request = server_.take_abort()) {
    std::string line =
        name_of(request->rank) + " aborted the job with status " + std::to_string(request->status);
    if (!request->why.empty()) line += ": " + on_one_line(request->why);
    drain(request->rank);
    if (request->status == 0) {
      // A rank that ends all others as a success (shmem_global_exit) has nothing to complain of.
      accuse({0, evidence::departure, {}}, settling);
    } else {
      accuse({request->status & 255, evidence::complaint, line + "; ending the job\n"}, settling);
    }
  }
  if (first_ended_ && server_.waiting() > 0) {
    accuse({1, evidence::complaint,
            name_of(*first_ended_) + " ended while others wait for it; ending the job\n"},
           settling);
  }
}

// --- output ------------------------------------------------------------------------

pipe_end& job::end_of(rank_t rank, source what) {
  return what == source::output ? ranks_[rank].output : ranks_[rank].errors;
}

// Returns whether there may be more.
bool job::read_output(rank_t rank, source what) {
  pipe_end& end = end_of(rank, what);
  if (!end.from.open() || end.lines.paused) return false;
  const ssize_t got = ::read(end.from.get(), buffer_.data(), buffer_.size());
  if (got == 0) {
    end.merge->end(end.lines, now_);
    end.from.reset();
  }
  if (got <= 0) return false;
  end.merge->take(end.lines, {buffer_.data(), static_cast<std::size_t>(got)}, now_);
  if (end.merge->wants(end.lines)) return true;
  merger::pause(end.lines);
  watch(end.from.get(), 0, what, rank, EPOLL_CTL_DEL);
  paused_.emplace_back(rank, what);
  return false;
}

void job::drain(rank_t rank) {
  for (const source what : {source::output, source::errors}) {
    while (read_output(rank, what)) {
    }
  }
}

void job::resume_paused() {
  std::erase_if(paused_, [this](const auto& each) {
    pipe_end& end = end_of(each.first, each.second);
    if (!end.merge->wants(end.lines)) return false;
    merger::resume(end.lines, now_);
    watch(end.from.get(), EPOLLIN, each.second, each.first);
    return true;
  });
}

// --- input from a terminal ------------------------------------------------------------
// Ranks are in process groups of their own, which may not read the terminal.

void job::read_terminal() {
  terminal_watched_ = false;
  watch(STDIN_FILENO, 0, source::terminal, 0, EPOLL_CTL_DEL);
  if (::tcgetpgrp(STDIN_FILENO) != ::getpgrp()) return;  // until we are continued in front
  const ssize_t got = ::read(STDIN_FILENO, buffer_.data(), 4096);
  if (got <= 0) return close_input();
  typed_.assign(buffer_.data(), static_cast<std::size_t>(got));
  watch(input_.get(), EPOLLOUT, source::input);
}

void job::write_input() {
  if (!input_.open()) return;
  const ssize_t written = ::write(input_.get(), typed_.data(), typed_.size());
  if (written < 0 && errno != EAGAIN && errno != EINTR) return close_input();
  if (written > 0) typed_.erase(0, static_cast<std::size_t>(written));
  if (!typed_.empty()) return;
  watch(input_.get(), 0, source::input, 0, EPOLL_CTL_DEL);
  terminal_watched_ = true;
  watch(STDIN_FILENO, EPOLLIN, source::terminal);
}

void job::close_input() {
  if (std::exchange(terminal_watched_, false)) {
    watch(STDIN_FILENO, 0, source::terminal, 0, EPOLL_CTL_DEL);
  }
  input_.reset();
}

}  // namespace

fabric::rank_t usable_cpus() {
  cpu_set_t cpus;
  if (::sched_getaffinity(0, sizeof cpus, &cpus) != 0) return 1;
  return static_cast<rank_t>(std::clamp(CPU_COUNT(&cpus), 1, static_cast<int>(most_ranks)));
}

int run(const run_options& options) {
  try {
    // Not on the stack, which may be small.
    return std::make_unique<job>(options)->run();
  } catch (const std::system_error& refused) {
    std::fprintf(stderr,
                 "acre: the thread that writes the output cannot be started: %s\n"
                 "      %s\n",
                 refused.what(), advice_for_refused_thread(refused.code().value()).c_str());
    return 1;
  } catch (const not_started& reason) {
    std::fprintf(stderr, "acre: %s\n", reason.problem.c_str());
    if (!reason.advice.empty()) std::fprintf(stderr, "      %s\n", reason.advice.c_str());
    return reason.status;
  }
}

}  // namespace acre::tool
