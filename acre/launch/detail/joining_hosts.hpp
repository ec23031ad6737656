// SPDX-License-Identifier: BSD-3-Clause
// How the hosts of a job find each other, and notice that one is lost.
//
// In a job of one host these steps do nothing. Hosts meet when it is known which ranks are on which
// (joining.hpp), and before the network is opened: what they find out says how it is opened and
// connected. The links are watched from the moment at which the job is complete.
#pragma once

#include <acre/launch/detail/running_job.hpp>

namespace acre::launch {

/// Whether the loopback interface joins all ranks.
[[nodiscard]] bool in_one_network(const running_job& job);

/// Tries out by which addresses the hosts reach each other.
/// @throws acre::error naming those that do not, with all that was tried
void meet_hosts(running_job& job);

/// Two endpoints that listen at all addresses of their hosts lose what they send when they connect
/// to each other at the same moment: libfabric's ofi_rxm compares their addresses to choose one of
/// the two connections, and each side finds its own, [::], to be the lower. So of each pair the
/// lower rank connects, and then the other one has shown that it uses the same connection.
void connect_in_order(running_job& job);

/// The links between hosts are looked after: a host that is lost ends the job.
void watch_links(running_job& job);

}  // namespace acre::launch
