// SPDX-License-Identifier: BSD-3-Clause
// Counters of objects that move, asked for by name.
//
//     for (const auto& each : acre::read_agas_counters("/agas{locality#*/total}/count/route"))
//       std::printf("rank %u has passed on %lu calls\n", each.locality, each.value);
//
// Names have HPX's grammar, `/object{locality#N/instance}/counter@parameters`, and where HPX counts
// the same its words. Here N is a rank, or * for all; without braces it is this rank. A name that
// ends in * stands for all counters that begin so. No counter takes parameters.
#pragma once

#include <acre/agas/counter_name.hpp>
#include <acre/runtime/world.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace acre {

/// All there are. l.
[[nodiscard]] std::span<const agas_counter_name> agas_counter_names() noexcept;

struct agas_counter_value {
  std::string name;  ///< with its rank: "/agas{locality#2/total}/count/route"
  rank_t locality = 0;
  std::uint64_t value = 0;
};

/// The values at this moment of what the names stand for: rank by rank, in each in the order of the
/// names. One-sided: the ranks asked answer in their progress(), and count on meanwhile. All 0 in a
/// build without counters. Not from calls that run for others, as it waits. Cost: 2 M for each
/// other rank, however many names.
/// @throws acre::error when a name is none, or of a rank that is not in the job
[[nodiscard]] std::vector<agas_counter_value> read_agas_counters(
    std::span<const std::string> names);
[[nodiscard]] std::vector<agas_counter_value> read_agas_counters(std::string_view name);

/// The one value of a name without stars.
[[nodiscard]] std::uint64_t read_agas_counter(std::string_view name);

/// Takes times on this rank from now on: `/agas/time/…`, which are 0 without. They are what a clock
/// on the wall says, with the time in which others had the core, but without what it takes to look
/// at the clock. ACRE_AGAS_TIMES=on does it on all ranks from the start. Cost: two looks at a clock
/// for each call to be timed.
void start_agas_times();
void stop_agas_times() noexcept;

}  // namespace acre
