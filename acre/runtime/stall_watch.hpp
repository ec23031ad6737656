// SPDX-License-Identifier: BSD-3-Clause
// The stall watch: when a rank has waited for ACRE_STALL_SECONDS, it says what
// it waits for; the first of those that wait says where every other rank is. A
// mismatched collective then reads "rank 0 waits in barrier at a.cpp:10; rank 3
// waits in broadcast at b.cpp:20".
#pragma once

#include <acre/runtime/world.hpp>

#include <chrono>
#include <string>

namespace acre::runtime {

/// ACRE_STALL_SECONDS; 0 (the default) turns the watch off.
void set_stall_limit(std::chrono::milliseconds limit) noexcept;

/// Has the watch say what else of a rank may make others wait: "; object 1.1 is pinned", or
/// nothing. Called by any thread, also while a message is handled: it shall neither wait nor send.
bool set_stall_details(std::string (*details)()) noexcept;

/// "rank 3 waits in broadcast at b.cpp:20", or that it computes. Asks the rank, or its helper
/// thread when it is on another node; where a neighbour does not answer, reads its note.
[[nodiscard]] std::string where_is(rank_t rank);

/// Writes to standard error, once a wait: where all ranks are, when no rank before
/// this one waits too; else where this one is.
void report_stall();

}  // namespace acre::runtime
