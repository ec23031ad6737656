// SPDX-License-Identifier: BSD-3-Clause
#include <acre/launch/job.hpp>

#include <acre/base/environment.hpp>
#include <acre/base/error.hpp>
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

namespace acre::runtime {

namespace {

using detail::current;
using detail::running_job;

// --- counters ---------------------------------------------------------------------

/// Before the job runs for hours: whether the file can be written.
void check_place_of_counters() {
  const auto wanted = environment("ACRE_COUNTERS");
  if (wanted && *wanted != "summary" && world.rank == 0) require_place("ACRE_COUNTERS", *wanted);
}

/// ACRE_COUNTERS=summary prints a table, ACRE_COUNTERS=FILE.json writes a file.
void report_counters(running_job& job) {
  const auto wanted = environment("ACRE_COUNTERS");
  if (!wanted) return;
  std::vector<counter_values> all(world.size, counter_table);
  if (world.size > 1) {
    const auto answers = job.launcher->exchange(std::as_bytes(std::span(counter_table)));
    for (std::size_t r = 0; r < all.size(); ++r) {
      std::memcpy(all[r].data(), answers[r].data(), sizeof(counter_values));
    }
  }
  if (world.rank != 0) return;
  const rank_counts counts = counts_of(all);
  if (*wanted == "summary") {
    const std::string text = table_of(counts, "counter", 18, mean_column::left_out);
    std::fwrite(text.data(), 1, text.size(), stderr);
    return;
  }
  write_whole("ACRE_COUNTERS", *wanted, json_of(counts, ""));
}

// --- start and end -------------------------------------------------------------------

/// What is wrong when a job starts is mostly found by all ranks of a node, or by all of the job:
/// one of them reports it, and ends the job, before the others would do the same.
void let_first_rank_speak(running_job& job) {
  const rank_t first = job.neighbours.empty() ? 0 : job.neighbours.front();
  if (world.rank != first) job.launcher->let_launcher_speak();
}

/// Whatever it has found out is in `job`, or in the current one, where it throws.
void join(std::unique_ptr<running_job>& job) {
  world.rank = job->launcher->rank();
  world.size = job->launcher->size();
  identify_process(world.rank, host_name());
  if (world.size > max_ranks) {
    throw error("job", std::to_string(world.size) + " ranks are too many",
                "a global pointer has 20 bits for the rank");
  }
  detail::check_settings();
  check_place_of_counters();
  detail::require_usual_limits();
  const detail::file_limit_lifted until_started;
  job->memory.emplace(choose_huge_pages());
  detail::meet_others(*job);
  if (job->node_count > 1) detail::require_limits_of_network(world.size);
  detail::meet_hosts(*job);
  detail::open_network(*job);
  detail::map_memory(*job);
  detail::enter(std::move(job));
  detail::watch_for_children();
  detail::await_neighbours(*current);
  detail::connect(*current);
  current->introductions = {};  // what is needed of them is kept elsewhere, four bytes a rank
  current->motor =
      std::make_unique<engine>(box_of(world.rank).ring, current->conduit.get(), *current->launcher);
  the_engine = current->motor.get();
  // The thread that it starts reads the engine's waits.
  set_stall_limit(environment_seconds("ACRE_STALL_SECONDS").value_or(std::chrono::milliseconds(0)));
  run_started_hooks();
  // Other ranks may have called long ago: what they call finds a job that is complete.
  the_engine->start_helper();
  detail::watch_links(*current);
  if (current->conduit != nullptr) current->conduit->close_on_exec();
  the_engine->admit_requests();
}

void start() {
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

/// A job whose words nobody can read has not done what it was asked to.
void check_output() {
  std::string problem = lost_output();
  // What it holds apart from the C library; but programs silence ranks by making it fail.
  const bool speaks = std::cout.good();
  std::cout.flush();
  if (problem.empty() && speaks && std::cout.bad()) problem = "a write has failed";
  if (problem.empty()) return;
  throw error("the end of the job", "standard output cannot be written: " + problem,
              "is there room where it goes? to write nothing, send it to /dev/null");
}

void leave_world() {
  world = {};
  if (static_data_is_shared()) world.windows = window_table::of(table_of_no_ranks());
}

void forget_job() {
  watch_functions(std::chrono::milliseconds(0));  // it reads the node's memory
  if (current->links != nullptr)
    current->links->say_goodbye();  // its thread uses the node's memory
  // The network's last completions may still have something for the engine.
  if (current->motor != nullptr) current->motor->stop_helper();
  current->conduit.reset();
  detail::take_static_data_back(*current);
  the_engine = nullptr;
  current->motor.reset();
  leave_world();
  detail::leave().reset();
}

void end() {
  if (the_engine->another_thread_has_user_code()) {
    throw error("the end of the job", "another thread still runs the user code of this rank",
                "let its user_code_thread end before the job does");
  }
  run_ending_hooks();
  rethrow_lost_failure();  // before reports, which may fail themselves
  run_ended_hooks();
  rethrow_lost_failure();  // of what the hooks have dropped
  check_output();
  report_counters(*current);
  // Others may still read and write here: the helper answers until all are done.
  if (world.size > 1) static_cast<void>(current->launcher->exchange({}));
  if (current->links != nullptr) current->links->say_goodbye();
  current->launcher->finish();
  forget_job();
}

}  // namespace

std::vector<std::vector<std::byte>> exchange_at_end(std::span<const std::byte> mine) {
  return current->launcher->exchange(mine);
}

}  // namespace acre::runtime

namespace acre {

job::job() : exceptions_(std::uncaught_exceptions()) {
  if (runtime::detail::current != nullptr) {
    throw error("job", "this process has joined its job already", "keep one acre::job, in main()");
  }
  try {
    runtime::start();
  } catch (...) {
    if (runtime::detail::current != nullptr) runtime::forget_job();
    runtime::leave_world();
    throw;
  }
}

job::~job() {
  if (runtime::detail::current == nullptr) return;  // in a child, which is no rank
  if (std::uncaught_exceptions() > exceptions_) {
    // Others may be anywhere: they are not waited for, and what they may still
    // reach stays mapped. The launcher sees that this rank did not finish.
    static_cast<void>(runtime::detail::leave().release());
    runtime::abandon_job();
    return;
  }
  // A destructor has no other way to say that the job has failed.
  try {
    runtime::end();
  } catch (const error& failure) {
    abort_job(1, failure.call() + ": " + failure.problem());
  } catch (const std::exception& failure) {
    abort_job(1, std::string("at the end of the job: ") + failure.what());
  } catch (...) {
    abort_job(1, "at the end of the job: an exception that is no std::exception");
  }
}

std::string conduit_name() {
  return runtime::world.conduit == nullptr ? "smp" : runtime::world.conduit->offers().name;
}

void abort_job(int status, const std::string& why) {
  if (runtime::detail::current != nullptr) runtime::detail::current->launcher->abort(status, why);
  std::fprintf(stderr, "acre: %s: %s\n", process_identity().c_str(), why.c_str());
  std::_Exit(status);
}

}  // namespace acre
