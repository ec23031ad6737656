// SPDX-License-Identifier: BSD-3-Clause
// Steps for jobs of several hosts, before the network is opened.
#pragma once

#include <acre/launch/detail/running_job.hpp>

namespace acre::launch {

[[nodiscard]] bool in_one_network(const running_job& job);

/// Determines by which addresses the hosts reach each other.
/// @throws acre::error naming unreachable hosts and all attempts
void meet_hosts(running_job& job);

/// Connects pairwise: the lower rank first, then the other confirms use of that connection.
/// Required if endpoints listen on all addresses: on simultaneous connects of ofi_rxm, each side
/// considers its own address, [::], the lower, and data is lost.
void connect_in_order(running_job& job);

void watch_links(running_job& job);

}  // namespace acre::launch
