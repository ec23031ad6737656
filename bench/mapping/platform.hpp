// SPDX-License-Identifier: BSD-3-Clause
// SimGrid platform of a network: hosts n0, n1, … are nodes, cores slots, cable directions links.
// Its loopback is 100 times faster than a link.
#pragma once

#include <acre/topology/network.hpp>

#include <cstdint>
#include <string>

namespace acre::bench {

/// Returns XML.
///
/// @throws acre::error for a mesh, several nodes per router, or link bandwidths that are not
/// multiples of each other
[[nodiscard]] std::string simgrid_platform(const topology::network& network, std::uint32_t cores);

}  // namespace acre::bench
