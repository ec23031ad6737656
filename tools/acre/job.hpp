// SPDX-License-Identifier: BSD-3-Clause
// A job on this machine: one loop handles output, PMI, signals and ends of ranks. The failure with
// the best evidence (job_ending.hpp) is the verdict; then all get SIGTERM, shortly after SIGKILL.
#pragma once

#include "events.hpp"
#include "guardian.hpp"
#include "job_ending.hpp"
#include "job_output.hpp"
#include "job_signals.hpp"
#include "memory_watch.hpp"
#include "pmi_connections.hpp"
#include "run.hpp"
#include "spawn.hpp"
#include "terminal_input.hpp"
#include <acre/base/host_name.hpp>
#include <acre/launch/job_name.hpp>

#include <deque>
#include <optional>
#include <string>
#include <sys/resource.h>
#include <sys/types.h>
#include <unordered_map>
#include <vector>

namespace acre::tool {

class job {
 public:
  explicit job(const run_options& options);
  job(const job&) = delete;
  job& operator=(const job&) = delete;
  ~job();

  /// Exit status.
  /// @throws not_started
  [[nodiscard]] int run();

 private:
  struct rank_process {
    pid_t pid = -1;
    bool alive = false;
  };

  [[nodiscard]] program plan(const run_part& part) const;
  void prepare(std::deque<starter>& starters) const;
  void start_ranks();
  void add_rank(rank_t rank, started with);

  void wait_and_handle();
  void handle(const event& what);
  void check_clocks();
  void check_timeout();
  void check_pipes_left_open();
  [[nodiscard]] int time_to_wait() const;
  [[nodiscard]] bool is_done() const;

  void on_signals();
  void on_signal(int signal);
  void on_stop();
  void on_notice_of_output();
  void reap();
  void on_end(rank_t rank, int how);
  void read_pmi(rank_t rank);
  void after_pmi();
  void on_abort(const abort_request& request);

  void report_failure(failure_report because) { ending_.report_failure(std::move(because), now_); }
  void end_job(bool at_once);
  void signal_all(int signal) const;
  [[nodiscard]] std::string name_of(rank_t rank) const;
  [[nodiscard]] std::string names_of_alive() const;

  const run_options& options_;
  const rank_t size_;
  const std::string name_ = launch::make_job_name();
  const std::string host_ = host_name();
  guardian guardian_{name_};
  const rlimit open_files_;          // limit before this launcher raised it
  const std::vector<pid_t> spared_;  // PIDs of earlier children and the guardian

  event_queue events_;
  job_signals signals_{events_};
  job_output output_;
  terminal_input input_{events_};
  pmi_connections pmi_;
  const memory_watch memory_;

  std::vector<rank_process> ranks_;
  std::unordered_map<pid_t, rank_t> rank_of_;
  std::optional<rank_t> first_ended_;
  rank_t alive_ = 0;
  int asked_ = 0;         // last terminating signal from the user
  bool left_ = false;     // does not wait for output
  bool is_late_ = false;  // the timeout has passed once
  job_ending ending_;
  clock::time_point now_ = clock::now();
  clock::time_point timeout_at_ = clock::time_point::max();
  std::optional<clock::time_point> all_gone_at_;
};

}  // namespace acre::tool
