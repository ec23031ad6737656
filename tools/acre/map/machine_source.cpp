#include "machine_source.hpp"

#include <acre/base/error.hpp>
#include <acre/base/specification.hpp>
#include <acre/machines/networks/job_manager.hpp>
#include <acre/machines/networks/job_nodes.hpp>
#include <acre/machines/networks/network_file.hpp>
#include <acre/machines/networks/node_tree_hwloc.hpp>
#include <acre/machines/networks/node_tree_xml.hpp>

#include <algorithm>
#include <utility>

namespace acre::tool {
namespace {

topology::allocation allocation_of(const topology::described_network& machine,
                                   const std::string& file, std::string nodes,
                                   std::uint32_t slots) {
  if (nodes.empty() && machine.has_allocation) nodes = file;
  if (nodes.empty()) return topology::allocation::whole(*machine.network, slots);
  return topology::allocation_on(machine, nodes == "job" ? topology::nodes_of_this_job()
                                                         : topology::read_job_nodes(nodes, slots));
}

}  // namespace

described_machine read_machine(const std::string& topology, const std::string& nodes,
                               std::uint32_t slots) {
  topology::described_network machine = topology::read_network(topology);
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

std::vector<std::uint32_t> read_node_shape(const std::string& inside) {
  if (inside == "here") return topology::shape_of(topology::this_node());
  if (inside.find_first_not_of("0123456789x") != std::string::npos) {
    return topology::shape_of(topology::read_node_tree(topology::source_text::load(inside)));
  }
  specification_reader text(inside, "map",
                            "say how a node is divided as 2x4x8: 2 packages, 4 NUMA domains in "
                            "each, 8 cores in each of these");
  std::vector<std::uint32_t> shape = text.numbers('x');
  text.expect_end();
  if (std::ranges::find(shape, 0U) != shape.end()) {
    throw error("map", "--inside " + inside + " divides a node into nothing",
                "say how many of each there are, as 2x4x8");
  }
  return shape;
}

}  // namespace acre::tool
