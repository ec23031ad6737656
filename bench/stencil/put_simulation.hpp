// SPDX-License-Identifier: BSD-3-Clause
// Simulates blocking puts to the neighbours in a 3-D grid, with max-min fair shares of the links:
// SimGrid's model (CM02), for thousands of ranks. Shares are computed per pair of nodes.
#pragma once

#include <acre/topology/network.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace acre::bench {

/// Seconds, and bytes per second.
struct put_model {
  double inside_latency;
  double software_latency;  ///< of a put between nodes
  double link_latency;      ///< per link, there and back
  double memory_bandwidth;  ///< payload copied by all cores of a node
  double core_bandwidth;    ///< payload copied by one core
};

struct put_job {
  const topology::network& network;
  std::vector<topology::node_t> node_of_rank;
  std::array<std::uint32_t, 3> grid;  ///< last coordinate fastest; open edges
};

/// Down and up in each dimension, the first dimension last.
[[nodiscard]] std::vector<std::uint32_t> neighbours_of(const put_job& job, std::uint32_t rank);

struct put_times {
  double mean;
  double slowest;  ///< mean of the slowest rank
};

/// @param step  seconds in which events count as simultaneous
[[nodiscard]] put_times simulate_puts(const put_job& job, const put_model& model,
                                      std::uint32_t iterations, double bytes, double step);

/// Links and routes in simgrid_puts' format.
[[nodiscard]] std::string platform_of_puts(const put_job& job, const put_model& model);

}  // namespace acre::bench
