// SPDX-License-Identifier: BSD-3-Clause
#include "run.hpp"

#include "aftermath.hpp"
#include "job.hpp"
#include "spawn.hpp"
#include <acre/base/resource_limits.hpp>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <sched.h>
#include <system_error>

namespace acre::tool {

fabric::rank_t usable_cpus() {
  cpu_set_t cpus;
  if (::sched_getaffinity(0, sizeof cpus, &cpus) != 0) return 1;
  return static_cast<rank_t>(std::clamp(CPU_COUNT(&cpus), 1, static_cast<int>(most_ranks)));
}

fabric::rank_t run_options::ranks() const {
  rank_t sum = 0;
  for (const run_part& each : parts) sum += each.ranks;
  return sum;
}

int run(const run_options& options) {
  try {
    remove_shared_memory_of_lost_jobs();
    // On the heap, since the stack may be small.
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
