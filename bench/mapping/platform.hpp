// SPDX-License-Identifier: BSD-3-Clause
// A network as SimGrid reads it: a cluster of hosts n0, n1, … in an XML file.
//
// A host is a node, its cores are the slots. Both ways of a cable are links of
// their own, as in acre::topology. What stays in a host goes over a loopback a
// hundred times as fast as a link, so that the network alone decides.
#pragma once

#include <acre/topology/network.hpp>

#include <cstdint>
#include <string>

namespace acre::bench {

/// @throws acre::error when SimGrid has no such network: a mesh, several nodes a router, or links
///         whose bandwidths are no multiples of each other
[[nodiscard]] std::string simgrid_platform(const topology::network& network, std::uint32_t cores);

}  // namespace acre::bench
