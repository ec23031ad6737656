// SPDX-License-Identifier: BSD-3-Clause
// Steps of joining a job, in this order. The network is opened before memory is mapped, which some
// networks supply.
#pragma once

#include <acre/launch/detail/running_job.hpp>

namespace acre::launch {

void meet_others(running_job& job);

/// With a conduit that supplies memory, each rank becomes a node.
/// @throws acre::error if no network joins the nodes
void open_network(running_job& job);

void map_memory(running_job& job);

void await_neighbours(running_job& job);

void connect(running_job& job);

}  // namespace acre::launch
