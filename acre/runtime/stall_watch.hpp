// SPDX-License-Identifier: BSD-3-Clause
// Stall watch: after ACRE_STALL_SECONDS in a wait, a rank reports it, and the lowest waiting rank
// the first 64: "rank 0 waits in barrier at a.cpp:10; rank 3 waits in broadcast at b.cpp:20".
#pragma once

#include <acre/runtime/world.hpp>

#include <chrono>
#include <string>

namespace acre::runtime {

/// Sets ACRE_STALL_SECONDS; 0 (default) disables.
void set_stall_limit(std::chrono::milliseconds limit) noexcept;

/// Sets details for reports: "; object 1.1 is pinned", or empty. Any thread calls it; it must
/// neither wait nor send.
bool set_stall_details(std::string (*details)()) noexcept;

/// Describes what a rank does. Asks a rank of another node, whose helper answers, or a waiting one
/// of this node; without an answer, reads its wait record.
[[nodiscard]] std::string where_is(rank_t rank);

/// Writes a report to standard error, once per wait. It covers 64 ranks if no lower rank waits.
void report_stall();

}  // namespace acre::runtime
