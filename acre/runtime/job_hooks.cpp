// SPDX-License-Identifier: BSD-3-Clause
#include <acre/runtime/job_hooks.hpp>

#include <vector>

namespace acre::runtime {
namespace {

constinit bool abandoned = false;

std::vector<job_hooks>& hooks() {
  static std::vector<job_hooks> all;
  return all;
}

}  // namespace

bool add_job_hooks(job_hooks added) {
  hooks().push_back(added);
  return true;
}

void run_started_hooks() {
  for (const job_hooks& each : hooks()) {
    if (each.started != nullptr) each.started();
  }
}

void run_ending_hooks() {
  for (auto each = hooks().rbegin(); each != hooks().rend(); ++each) {
    if (each->ending != nullptr) each->ending();
  }
}

void run_ended_hooks() {
  for (const job_hooks& each : hooks()) {
    if (each.ended != nullptr) each.ended();
  }
}

bool job_is_abandoned() noexcept { return abandoned; }
void abandon_job() noexcept { abandoned = true; }

}  // namespace acre::runtime
