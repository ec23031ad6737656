// SPDX-License-Identifier: BSD-3-Clause
#include "machine_source.hpp"

#include <acre/machines/networks/job_manager.hpp>
#include <acre/machines/networks/job_nodes.hpp>
#include <acre/machines/networks/network_file.hpp>
#include <acre/machines/networks/node_tree_hwloc.hpp>
#include <acre/machines/networks/node_tree_xml.hpp>

#include <utility>
#include <variant>

namespace acre::tool {
namespace {

/// All nodes; those of a file with names, except positions without a node.
topology::allocation all_of(const machines::described_network& machine, std::uint32_t slots) {
  if (machine.node_names.empty()) return topology::allocation::whole(*machine.network, slots);
  std::vector<topology::allocation::share> shares;
  for (topology::node_t node = 0; node < machine.node_names.size(); ++node) {
    if (!machine.node_names[node].empty()) shares.push_back({.node = node, .slots = slots});
  }
  return {*machine.network, std::move(shares)};
}

topology::allocation allocation_of(const machines::described_network& machine,
                                   const std::string& file, const job_nodes& nodes,
                                   std::uint32_t slots) {
  if (std::holds_alternative<nodes_of_this_job>(nodes)) {
    return machines::allocation_on(machine, machines::nodes_of_this_job());
  }
  if (const auto* given = std::get_if<listed_nodes>(&nodes)) {
    return machines::allocation_on(machine, machines::read_job_nodes(given->list, slots));
  }
  if (machine.has_allocation) {
    return machines::allocation_on(machine, machines::read_job_nodes(file, slots));
  }
  return all_of(machine, slots);
}

}  // namespace

described_machine read_machine(const std::string& topology, const job_nodes& nodes,
                               std::uint32_t slots) {
  machines::described_network machine = machines::read_network(topology);
  topology::allocation job = allocation_of(machine, topology, nodes, slots);
  std::vector<std::string> names;
  names.reserve(job.shares().size());
  for (const auto& each : job.shares()) {
    names.push_back(machine.node_names.empty() ? "node" + std::to_string(each.node)
                                               : machine.node_names[each.node]);
  }
  const bool has_own_names = !machine.node_names.empty();
  return {.network = std::move(machine.network),
          .allocation = std::move(job),
          .node_names = std::move(names),
          .has_own_names = has_own_names,
          .warnings = std::move(machine.warnings)};
}

node_shape read_node_shape(const node_places& inside) {
  if (std::holds_alternative<this_node>(inside)) return topology::shape_of(machines::this_node());
  if (const auto* file = std::get_if<node_file>(&inside)) {
    return topology::shape_of(machines::read_node_tree(machines::source_text::load(file->path)));
  }
  const auto* shape = std::get_if<node_shape>(&inside);
  return shape == nullptr ? node_shape() : *shape;
}

}  // namespace acre::tool
