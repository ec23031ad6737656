// SPDX-License-Identifier: BSD-3-Clause
#include <acre/global/team/detail/job_teams.hpp>

#include <acre/base/site.hpp>
#include <acre/global/team/detail/call_rounds.hpp>
#include <acre/global/team/detail/roll_call.hpp>
#include <acre/global/team/drain.hpp>
#include <acre/global/team/team.hpp>
#include <acre/runtime/job_hooks.hpp>
#include <acre/runtime/lost_failure.hpp>
#include <acre/runtime/remote.hpp>
#include <acre/runtime/require_job.hpp>
#include <acre/runtime/user_code.hpp>

#include <vector>

namespace acre {
namespace global {

bool job_ends_together() noexcept { return true; }

namespace {

// Never destroyed: a process may exit without ending its job.
team& the_world = *new team;
team& the_node = *new team;
team& the_end = *new team;

std::vector<rank_t> ranks_of_this_node() {
  std::vector<rank_t> ranks;
  for (rank_t r = 0; r < runtime::world.size; ++r) {
    if (runtime::node_of(r) == runtime::node_of(runtime::world.rank)) ranks.push_back(r);
  }
  return ranks;
}

void end_of_job() {
  note_end_of_job();
  if (runtime::world.conduit != nullptr) runtime::await_quiet();
  await_all_calls(team_maker::reference_of(the_end), collective_kind::job_end, site::current());
}

[[maybe_unused]] const bool teams_registered =
    runtime::add_job_hooks({.started =
                                [] {
                                  start_teams();
                                  start_counting_calls();
                                  the_world = team_maker::make({}, world_number);
                                  the_node = team_maker::make(ranks_of_this_node(), node_number);
                                  the_end = team_maker::make({}, end_number);
                                },
                            .ending =
                                [] {
                                  fail_kept_calls();
                                  end_of_job();
                                  runtime::hold_user_code();
                                  the_end = {};
                                  the_node = {};
                                  the_world = {};
                                  stop_counting_calls();
                                  end_teams();
                                }});

}  // namespace
}  // namespace global

const team& world() {
  if (!global::the_world) [[unlikely]] {
    runtime::require_job("world");
  }
  return global::the_world;
}

const team& node() {
  if (!global::the_node) [[unlikely]] {
    runtime::require_job("node");
  }
  return global::the_node;
}

void barrier(const site& where) { world().barrier(where); }

void drain(const site& where) {
  global::await_all_calls(global::team_maker::reference_of(world()), global::collective_kind::drain,
                          where);
  runtime::rethrow_lost_failure();
}

}  // namespace acre
