// SPDX-License-Identifier: BSD-3-Clause
#include <bench/mapping/route_platform.hpp>

#include <acre/base/error.hpp>

#include <fmt/format.h>

#include <vector>

namespace acre::bench {
namespace {

using topology::link_t;
using topology::node_t;

std::string link(const std::string& name, double bandwidth, const char* latency) {
  return fmt::format(R"(    <link id="{}" bandwidth="{:.0f}Bps" latency="{}"/>)"
                     "\n",
                     name, bandwidth, latency);
}

std::string route(const topology::network& network, node_t from, node_t to) {
  std::string text = fmt::format(R"(    <route src="n{}" dst="n{}" symmetrical="NO">)", from, to);
  const auto cross = [&](const std::string& name) {
    text += fmt::format(R"(<link_ctn id="{}"/>)", name);
  };
  if (from == to) {
    cross(fmt::format("inside{}", from));
  } else {
    std::vector<link_t> crossed;
    network.route(from, to, crossed);
    cross(fmt::format("out{}", from));
    for (const link_t each : crossed) cross(fmt::format("l{}", each));
    cross(fmt::format("in{}", to));
  }
  return text + "</route>\n";
}

}  // namespace

std::string route_platform(const topology::network& network, std::uint32_t cores,
                           double injection) {
  constexpr std::size_t most = 512;
  if (network.nodes() > most) {
    throw error("bench::route_platform",
                "a route per pair of nodes is too much for the nodes of " + network.name(),
                "use at most 512 nodes");
  }
  const auto nodes = static_cast<node_t>(network.nodes());
  std::string text = R"(<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="machine" routing="Full">
)";
  for (node_t i = 0; i < nodes; ++i) {
    text += fmt::format("    <host id=\"n{}\" speed=\"1Gf\" core=\"{}\"/>\n", i, cores);
  }
  for (node_t i = 0; i < nodes; ++i) {
    text += link(fmt::format("inside{}", i), 100 * injection, "0s");
    text += link(fmt::format("out{}", i), injection, "50ns");
    text += link(fmt::format("in{}", i), injection, "50ns");
  }
  for (link_t i = 0; i < network.links(); ++i) {
    text += link(fmt::format("l{}", i), network.bandwidth(i), "100ns");
  }
  for (node_t from = 0; from < nodes; ++from) {
    for (node_t to = 0; to < nodes; ++to) text += route(network, from, to);
  }
  return text + "  </zone>\n</platform>\n";
}

}  // namespace acre::bench
