// SPDX-License-Identifier: BSD-3-Clause
// Counters of movable objects, read by name.
//
//     auto routes = acre::read_agas_counters("/agas{locality#*/total}/count/route");
//
// Names follow HPX: `/object{locality#N/instance}/counter@parameters`. N is a rank or * (all);
// default: this rank. A trailing * matches a prefix. No counter has parameters.
#pragma once

#include <acre/agas/counter_name.hpp>
#include <acre/runtime/world.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace acre {

/// All counters. l.
[[nodiscard]] std::span<const agas_counter_name> agas_counter_names() noexcept;

struct agas_counter_value {
  std::string name;  ///< with its rank: "/agas{locality#2/total}/count/route"
  rank_t locality = 0;
  std::uint64_t value = 0;
};

/// Returns current values by rank, then as in `names`. Waits for the other ranks' progress(): not
/// for functions that run for other ranks. Without counters in the build, all but
/// count/cache/entries are 0. Cost: 2 M per other rank.
/// @throws acre::error if a name or rank is invalid
[[nodiscard]] std::vector<agas_counter_value> read_agas_counters(
    std::span<const std::string> names);
[[nodiscard]] std::vector<agas_counter_value> read_agas_counters(std::string_view name);

/// As above. @throws acre::error unless one counter of one rank matches
[[nodiscard]] std::uint64_t read_agas_counter(std::string_view name);

/// Starts timing on this rank (`/agas/time/…`): wall-clock time minus clock cost.
/// ACRE_AGAS_TIMES=on: all ranks. Cost: two clock reads per timed call.
void start_agas_times();
void stop_agas_times() noexcept;

}  // namespace acre
