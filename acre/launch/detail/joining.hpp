// SPDX-License-Identifier: BSD-3-Clause
// How a rank joins its job: the steps from knowing its number to reaching all others.
//
// They are taken in this order; what several hosts do besides is in joining_hosts.hpp. The network
// is opened before there is memory, because some networks bring it, and connected when there is.
#pragma once

#include <acre/launch/detail/running_job.hpp>

namespace acre::launch {

/// Learns who is on which host, and so which ranks share a node.
void meet_others(running_job& job);

/// Opens the conduit of a job of several nodes. One that brings memory makes each rank a node.
/// @throws acre::error when there is no network that joins them
void open_network(running_job& job);

/// Gives this rank its box, its segment and the two heaps in it, and a way to those of its node.
void map_memory(running_job& job);

/// Until all ranks of the node have mapped the memory, whose file belongs to one of them.
void await_neighbours(running_job& job);

/// Makes this rank's memory known to the network, and the others reachable.
void connect(running_job& job);

}  // namespace acre::launch
