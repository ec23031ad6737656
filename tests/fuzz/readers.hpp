// SPDX-License-Identifier: BSD-3-Clause
// Fuzzed readers, by seed folder. They return or throw acre::error.
#pragma once

#include <acre/machines/networks/cray_coordinates.hpp>
#include <acre/machines/networks/cray_placement.hpp>
#include <acre/machines/networks/hostlist.hpp>
#include <acre/machines/networks/ibnetdiscover.hpp>
#include <acre/machines/networks/job_manager.hpp>
#include <acre/machines/networks/job_nodes.hpp>
#include <acre/machines/networks/json_network.hpp>
#include <acre/machines/networks/network_file.hpp>
#include <acre/machines/networks/node_tree_xml.hpp>
#include <acre/machines/networks/scotch_target.hpp>
#include <acre/machines/networks/simgrid_platform.hpp>
#include <acre/machines/networks/slingshot_placement.hpp>
#include <acre/machines/networks/slurm_topology.hpp>
#include <acre/machines/traffic/matrix_market.hpp>
#include <acre/machines/traffic/metis.hpp>

#include <array>
#include <string_view>

namespace acre::fuzz {

struct reader {
  std::string_view name;
  void (*read)(const machines::source_text&);
};

/// Queries all of a network, to detect an invalid one.
inline void walk(const machines::described_network& machine) {
  const topology::network& net = *machine.network;
  const auto last = static_cast<topology::node_t>(net.nodes() - 1);
  std::vector<topology::link_t> crossed;
  net.route(0, last, crossed);
  for (const topology::link_t link : crossed) static_cast<void>(net.bandwidth(link));
  if (net.distance(0, last) != crossed.size()) __builtin_trap();
  for (unsigned level = 0; level < net.levels(); ++level) static_cast<void>(net.group(last, level));
  if (!machine.node_names.empty() && machine.node_names.size() != net.nodes()) __builtin_trap();
}

inline constexpr std::array readers{
    reader{"coordinate_table",
           [](const auto& text) { walk(machines::read_coordinate_table(text)); }},
    reader{"cray_table", [](const auto& text) { walk(machines::read_cray_table(text)); }},
    reader{"grid_engine",
           [](const auto& text) { static_cast<void>(machines::nodes_of_grid_engine(text)); }},
    reader{"hostfile",
           [](const auto& text) { static_cast<void>(machines::nodes_of_hostfile(text, 2)); }},
    reader{
        "hostlist",
        [](const auto& text) { static_cast<void>(machines::expand_hostlist(text.text(), 4096)); }},
    reader{"ibnetdiscover", [](const auto& text) { walk(machines::read_ibnetdiscover(text)); }},
    reader{"json_network", [](const auto& text) { walk(machines::read_json_network(text)); }},
    reader{"lsf_hosts",
           [](const auto& text) { static_cast<void>(machines::nodes_of_lsf(text.text())); }},
    reader{"matrix_market",
           [](const auto& text) {
             static_cast<void>(machines::read_matrix_market(text.text(), "input"));
           }},
    reader{"metis",
           [](const auto& text) { static_cast<void>(machines::read_metis(text.text(), "input")); }},
    reader{"network_file", [](const auto& text) { walk(machines::read_network(text)); }},
    reader{"node_list",
           [](const auto& text) {
             const auto nodes = machines::nodes_of_list(text.text(), 2);
             static_cast<void>(machines::allocation_on(machines::read_network("torus:8x8"), nodes));
           }},
    reader{"node_tree",
           [](const auto& text) { static_cast<void>(machines::read_node_tree(text)); }},
    reader{"processor_table", [](const auto& text) { walk(machines::read_processor_table(text)); }},
    reader{"scotch_target", [](const auto& text) { walk(machines::read_scotch_target(text)); }},
    reader{"simgrid_platform",
           [](const auto& text) { walk(machines::read_simgrid_platform(text)); }},
    reader{"slingshot_table", [](const auto& text) { walk(machines::read_slingshot_table(text)); }},
    reader{"slurm_addresses", [](const auto& text) { walk(machines::read_slurm_addresses(text)); }},
    reader{"slurm_tasks",
           [](const auto& text) {
             const std::string_view both = text.text();
             const std::size_t end = std::min(both.find('\n'), both.size());
             static_cast<void>(machines::nodes_of_slurm(both.substr(0, end), both.substr(end)));
           }},
    reader{"slurm_topology", [](const auto& text) { walk(machines::read_slurm_topology(text)); }},
    reader{"slurm_yaml", [](const auto& text) { walk(machines::read_slurm_yaml(text)); }},
};

}  // namespace acre::fuzz
