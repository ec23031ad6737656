// SPDX-License-Identifier: BSD-3-Clause
// Number of calls that ran.
#pragma once

#include <acre/acre.hpp>

#include <atomic>
#include <cstdint>

namespace acre::testing {

inline std::atomic<std::uint64_t> runs{0};

inline rank_t next_rank() { return (rank() + 1) % size(); }

/// Collective.
inline std::uint64_t all_runs() {
  const std::uint64_t all = world().allreduce(runs.load());
  barrier();
  return all;
}

/// Collective.
inline void start_counting() {
  runs = 0;
  barrier();
}

}  // namespace acre::testing
