// SPDX-License-Identifier: BSD-3-Clause
#include <acre/agas/detail/job_steps.hpp>

#include <acre/agas/detail/counter_report.hpp>
#include <acre/agas/detail/credit.hpp>
#include <acre/agas/detail/delivery.hpp>
#include <acre/agas/detail/gathered_calls.hpp>
#include <acre/agas/detail/moving.hpp>
#include <acre/agas/detail/name_table.hpp>
#include <acre/agas/detail/object_census.hpp>
#include <acre/agas/detail/object_space.hpp>
#include <acre/agas/detail/object_watch.hpp>
#include <acre/agas/detail/sending.hpp>
#include <acre/base/environment.hpp>
#include <acre/runtime/job_hooks.hpp>

namespace acre::agas {
namespace {

void start_objects() {
  const auto most = environment_number("ACRE_OBJECT_CACHE");
  space().most_entries = most.value_or(std::size_t{1} << 16);
  start_credit(environment_number("ACRE_CREDIT_THRESHOLD").value_or(1));
  move_objects_by(move_object);
  end_unreferred_by(end_unreferred);
  start_gathering();
  start_agas_counters();
  check_object_report();
}

void end_objects() {
  report_agas_counters();
  stop_gathering();
  stop_object_watch();
  report_objects_at_end();
  forget_credit();
  forget_names();
  space().clear();
}

}  // namespace

bool add_job_steps() {
  static const bool is_added =
      runtime::add_job_hooks({.started = start_objects, .ended = end_objects});
  return is_added;
}

}  // namespace acre::agas
