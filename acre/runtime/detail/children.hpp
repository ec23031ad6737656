// What becomes of a child that the program makes by fork(): it is no rank. It has variables of its
// own, when it exits it takes nothing down that is its parent's, and what it starts by exec() has
// none of the job's descriptors. Its messages would damage the parent's rings and connections:
// RPCs, collectives, waits and operations on other nodes are refused there by an error.
#pragma once

#include <acre/runtime/detail/running_job.hpp>

namespace acre::runtime::detail {

/// Gives this process a copy of its static data that is its own, where ranks share theirs.
void take_static_data_back(const running_job& job) noexcept;

/// From now on children of this process leave the job to it.
void watch_for_children();

}  // namespace acre::runtime::detail
