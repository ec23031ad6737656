// SPDX-License-Identifier: BSD-3-Clause
#include <acre/launch/job.hpp>

#include <acre/base/environment.hpp>
#include <acre/base/error.hpp>
#include <acre/base/required_processor.hpp>
#include <acre/base/standard_descriptors.hpp>
#include <acre/base/whole_file.hpp>
#include <acre/launch/detail/children.hpp>
#include <acre/launch/detail/joining.hpp>
#include <acre/launch/detail/joining_hosts.hpp>
#include <acre/launch/detail/memory_limits.hpp>
#include <acre/launch/detail/running_job.hpp>
#include <acre/launch/detail/settings.hpp>
#include <acre/launch/exchange_at_end.hpp>
#include <acre/launch/find_bootstrap.hpp>
#include <acre/runtime/blocked_watch.hpp>
#include <acre/runtime/counter_text.hpp>
#include <acre/runtime/counters.hpp>
#include <acre/runtime/huge_pages.hpp>
#include <acre/runtime/job_hooks.hpp>
#include <acre/runtime/lost_failure.hpp>
#include <acre/runtime/network_line.hpp>
#include <acre/runtime/rank_box.hpp>
#include <acre/runtime/running_code.hpp>
#include <acre/runtime/stall_watch.hpp>
#include <acre/runtime/static_data.hpp>

#include <cstdio>
#include <cstring>
#include <exception>
#include <iostream>
#include <memory>
#include <string_view>
#include <vector>

namespace acre::launch {

namespace {

void check_place_of_counters() {
  const auto wanted = environment("ACRE_COUNTERS");
  if (wanted && *wanted != "summary" && runtime::world.rank == 0)
    require_place("ACRE_COUNTERS", *wanted);
}

void report_counters(running_job& job) {
  const auto wanted = environment("ACRE_COUNTERS");
  if (!wanted) return;
  std::vector<runtime::counter_values> all(runtime::world.size, runtime::counter_table);
  if (runtime::world.size > 1) {
    const auto answers = job.launcher->exchange(std::as_bytes(std::span(runtime::counter_table)));
    for (std::size_t r = 0; r < all.size(); ++r) {
      std::memcpy(all[r].data(), answers[r].data(), sizeof(runtime::counter_values));
    }
  }
  if (runtime::world.rank != 0) return;
  const rank_counts counts = runtime::counts_of(all);
  if (*wanted == "summary") {
    const std::string text = table_of(counts, "counter", 18, mean_column::left_out);
    std::fwrite(text.data(), 1, text.size(), stderr);
    return;
  }
  write_whole("ACRE_COUNTERS", *wanted, json_of(counts, ""));
}

/// Most start errors occur on all ranks: the first rank of each node reports at once and ends the
/// job, before others do.
void let_first_rank_speak(running_job& job) {
  const rank_t first = job.neighbours.empty() ? 0 : job.neighbours.front();
  if (runtime::world.rank != first) job.launcher->let_launcher_speak();
}

void join(std::unique_ptr<running_job>& job) {
  runtime::world.rank = job->launcher->rank();
  runtime::world.size = job->launcher->size();
  identify_process(runtime::world.rank, host_name());
  if (runtime::world.size > max_ranks) {
    throw error("job", "a job of " + std::to_string(runtime::world.size) + " ranks is too large",
                "use at most " + std::to_string(max_ranks) + " ranks");
  }
  check_settings();
  check_place_of_counters();
  require_usual_limits();
  const file_limit_lifted until_started;
  job->memory.emplace(runtime::choose_huge_pages());
  meet_others(*job);
  if (job->node_count > 1) require_limits_of_network(runtime::world.size);
  meet_hosts(*job);
  open_network(*job);
  map_memory(*job);
  enter(std::move(job));
  watch_for_children();
  await_neighbours(*current);
  connect(*current);
  current->handshakes = {};
  current->motor = std::make_unique<runtime::engine>(runtime::box_of(runtime::world.rank).ring,
                                                     current->conduit.get(), *current->launcher);
  runtime::the_engine = current->motor.get();
  runtime::set_stall_limit(
      environment_seconds("ACRE_STALL_SECONDS").value_or(std::chrono::milliseconds(0)));
  runtime::run_started_hooks();
  runtime::the_engine->start_helper();
  watch_links(*current);
  if (current->conduit != nullptr) current->conduit->close_on_exec();
  runtime::the_engine->admit_requests();
}

void start() {
  require_processor();
  occupy_closed_standard_descriptors();
  auto job = std::make_unique<running_job>();
  job->launcher = find_bootstrap();
  try {
    join(job);
  } catch (...) {
    let_first_rank_speak(job != nullptr ? *job : *current);
    throw;
  }
}

void check_output() {
  std::string problem = lost_output();
  // Programs silence ranks by a failed std::cout.
  const bool speaks = std::cout.good();
  std::cout.flush();
  if (problem.empty() && speaks && std::cout.bad()) problem = "a write failed";
  if (problem.empty()) return;
  throw error("the end of the job", "standard output cannot be written: " + problem,
              "check the space at its destination, or redirect it to /dev/null");
}

void leave_world() {
  runtime::world = {};
  if (runtime::static_data_is_shared())
    runtime::world.windows = runtime::window_table::of(runtime::table_of_no_ranks());
}

void forget_job() {
  runtime::watch_functions(std::chrono::milliseconds(0));
  if (current->links != nullptr) current->links->say_goodbye();
  if (current->motor != nullptr) current->motor->stop_helper();
  current->conduit.reset();
  restore_static_data(*current);
  runtime::the_engine = nullptr;
  current->motor.reset();
  leave_world();
  leave().reset();
}

void end() {
  if (runtime::the_engine->another_thread_has_user_code()) {
    throw error("the end of the job", "another thread still runs the user code of this rank",
                "end its user_code_thread before the job");
  }
  runtime::run_ending_hooks();
  runtime::rethrow_lost_failure();
  runtime::run_ended_hooks();
  runtime::rethrow_lost_failure();
  check_output();
  report_counters(*current);
  // The helper serves other ranks until all arrive.
  if (runtime::world.size > 1) current->launcher->barrier();
  if (current->links != nullptr) current->links->say_goodbye();
  current->launcher->finish();
  forget_job();
}

}  // namespace

std::vector<std::vector<std::byte>> exchange_at_end(std::span<const std::byte> mine) {
  return current->launcher->exchange(mine);
}

}  // namespace acre::launch

namespace acre {

job::job() : exceptions_(std::uncaught_exceptions()) {
  if (launch::current != nullptr) {
    throw error("job", "this process has already joined a job", "keep one acre::job, in main()");
  }
  try {
    launch::start();
  } catch (...) {
    if (launch::current != nullptr) launch::forget_job();
    launch::leave_world();
    throw;
  }
}

job::~job() {
  if (launch::current == nullptr) return;
  if (std::uncaught_exceptions() > exceptions_) {
    // Other ranks may access mapped memory. The launcher detects the unfinished rank.
    static_cast<void>(launch::leave().release());
    runtime::abandon_job();
    return;
  }
  try {
    launch::end();
  } catch (const error& failure) {
    abort_job(1, failure.call() + ": " + failure.problem_and_advice());
  } catch (const std::exception& failure) {
    abort_job(1, std::string("at the end of the job: ") + failure.what());
  } catch (...) {
    abort_job(1, "at the end of the job: an exception that is not a std::exception");
  }
}

std::string conduit_name() {
  return runtime::world.conduit == nullptr ? "smp" : runtime::world.conduit->offers().name;
}

void abort_job(int status, const std::string& why) {
  if (launch::current != nullptr) launch::current->launcher->abort(status, why);
  std::fprintf(stderr, "acre: %s: %s\n", process_identity().c_str(), why.c_str());
  std::_Exit(status);
}

}  // namespace acre
