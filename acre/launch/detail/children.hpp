// SPDX-License-Identifier: BSD-3-Clause
// A child that the program makes by fork() is no rank. The memory that ranks share is copied on
// write there, so ranks see nothing that it writes. Its exit leaves the parent's resources alone,
// and programs that it starts by exec() inherit no descriptor of the job. Its messages would damage
// the parent's rings and connections: RPCs, collectives, waits, and puts, gets and atomics by
// global pointers are refused there by an error.
#pragma once

#include <acre/launch/detail/running_job.hpp>

namespace acre::launch {

/// Gives this process a copy of its static data that is its own, where ranks share theirs.
void take_static_data_back(const running_job& job) noexcept;

/// From now on children of this process leave the job to it.
void watch_for_children();

}  // namespace acre::launch
