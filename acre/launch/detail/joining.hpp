// SPDX-License-Identifier: BSD-3-Clause
// Steps of joining a job, in this order. The network is opened before memory is mapped, because
// some networks supply memory, and connected afterwards.
#pragma once

#include <acre/launch/detail/running_job.hpp>

namespace acre::launch {

/// Determines which ranks share a node.
void meet_others(running_job& job);

/// With a conduit that supplies memory, each rank becomes a node.
///
/// @throws acre::error if no network joins the nodes
void open_network(running_job& job);

/// Maps this rank's segment and those of its node.
void map_memory(running_job& job);

/// Waits until all ranks of the node have mapped the file.
void await_neighbours(running_job& job);

/// Registers this rank's memory and connects to all ranks.
void connect(running_job& job);

}  // namespace acre::launch
