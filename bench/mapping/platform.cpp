// SPDX-License-Identifier: BSD-3-Clause
#include <bench/mapping/platform.hpp>

#include <acre/base/error.hpp>
#include <acre/base/specification.hpp>
#include <acre/topology/dragonfly.hpp>
#include <acre/topology/fat_tree.hpp>
#include <acre/topology/torus.hpp>

#include <fmt/format.h>

#include <cmath>

namespace acre::bench {
namespace {

using topology::dragonfly;
using topology::torus;

struct cluster {
  std::string kind;
  std::string parameters;
  double bandwidth;
};

[[noreturn]] void refuse(const topology::network& network) {
  throw error("bench::simgrid_platform", "SimGrid does not support the network " + network.name());
}

cluster of(const torus& network) {
  for (const torus::dimension& each : network.dimensions()) {
    if (!each.wraps || each.bandwidth != network.bandwidth(0)) refuse(network);
  }
  if (network.nodes_a_router() != 1) refuse(network);
  return {"TORUS", join(network.extents(), ','), network.bandwidth(0)};
}

/// SimGrid writes fat trees in the same notation.
cluster of(const topology::fat_tree& network) {
  const std::string name = network.name();
  if (name.find('@') != std::string::npos) refuse(network);
  return {"FAT_TREE", name.substr(name.find(':') + 1), network.bandwidth(0)};
}

/// Other bandwidths become numbers of cables with the nodes' bandwidth.
cluster of(const dragonfly& network) {
  const dragonfly::shape& form = network.form();
  const auto cables = [&](double bandwidth) {
    const double number = bandwidth / form.node_bandwidth;
    if (number != std::floor(number)) refuse(network);
    return number;
  };
  return {"DRAGONFLY",
          fmt::format("{},{};{},{};{},{};{}", form.groups, cables(form.group_bandwidth),
                      form.chassis, cables(form.chassis_bandwidth), form.blades,
                      cables(form.blade_bandwidth), form.nodes),
          form.node_bandwidth};
}

cluster cluster_of(const topology::network& network) {
  if (const auto* it = dynamic_cast<const torus*>(&network)) return of(*it);
  if (const auto* it = dynamic_cast<const topology::fat_tree*>(&network)) return of(*it);
  if (const auto* it = dynamic_cast<const dragonfly*>(&network)) return of(*it);
  refuse(network);
}

}  // namespace

std::string simgrid_platform(const topology::network& network, std::uint32_t cores) {
  const cluster made = cluster_of(network);
  return fmt::format(R"(<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="machine" topology="{}" topo_parameters="{}"
           prefix="n" suffix="" radical="0-{}" speed="1Gf" core="{}"
           bw="{:.0f}Bps" lat="100ns" sharing_policy="SPLITDUPLEX"
           loopback_bw="{:.0f}Bps" loopback_lat="0s"/>
</platform>
)",
                     made.kind, made.parameters, network.nodes() - 1, cores, made.bandwidth,
                     100 * made.bandwidth);
}

}  // namespace acre::bench
