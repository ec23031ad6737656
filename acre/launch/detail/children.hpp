// SPDX-License-Identifier: BSD-3-Clause
// A child made by fork() is not a rank. Shared memory is copy-on-write, and exec() inherits no
// descriptor. RPCs, collectives, waits and remote accesses throw: they would damage the parent's
// rings and connections.
#pragma once

#include <acre/launch/detail/running_job.hpp>

namespace acre::launch {

void restore_static_data(const running_job& job) noexcept;

void watch_for_children();

}  // namespace acre::launch
