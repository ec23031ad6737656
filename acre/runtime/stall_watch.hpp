// SPDX-License-Identifier: BSD-3-Clause
// Stall watch: after ACRE_STALL_SECONDS a rank reports its wait, and the first one all ranks: "rank
// 0 waits in barrier at a.cpp:10; rank 3 waits in broadcast at b.cpp:20".
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

/// Returns the state of a rank. Asks the rank, or its helper on another node; if a neighbour does
/// not answer, reads its wait record.
[[nodiscard]] std::string where_is(rank_t rank);

/// Writes to standard error, once per wait: all ranks if no lower one waits.
void report_stall();

}  // namespace acre::runtime
