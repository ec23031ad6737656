#include "machine_source.hpp"

#include <acre/topology/readers/job_nodes.hpp>
#include <acre/topology/readers/network_file.hpp>

#include <utility>

namespace acre::tool {
namespace {

topology::allocation allocation_of(const topology::described_network& machine,
                                   const std::string& nodes, std::uint32_t slots) {
  if (nodes.empty()) return topology::allocation::whole(*machine.network, slots);
  return topology::allocation_on(machine, nodes == "job" ? topology::nodes_of_this_job()
                                                         : topology::read_job_nodes(nodes, slots));
}

}  // namespace

described_machine read_machine(const std::string& topology, const std::string& nodes,
                               std::uint32_t slots) {
  topology::described_network machine = topology::read_network(topology);
  topology::allocation job = allocation_of(machine, nodes, slots);
  std::vector<std::string> names;
  names.reserve(job.shares().size());
  for (const auto& each : job.shares()) {
    names.push_back(machine.node_names.empty() ? "node" + std::to_string(each.node)
                                               : machine.node_names[each.node]);
  }
  return {.network = std::move(machine.network),
          .allocation = std::move(job),
          .node_names = std::move(names)};
}

}  // namespace acre::tool
