// SPDX-License-Identifier: BSD-3-Clause
#include <acre/topology/specification.hpp>

#include <acre/base/error.hpp>
#include <acre/base/specification.hpp>
#include <acre/topology/dragonfly.hpp>
#include <acre/topology/fat_tree.hpp>
#include <acre/topology/torus.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace acre::topology {
namespace {

using reader = specification_reader;

std::vector<double> bandwidths(reader& text, std::size_t kinds) {
  std::vector<double> found(kinds, usual_bandwidth);
  if (!text.take('@')) return found;
  for (std::size_t i = 0; i < kinds; ++i) {
    if (i == 0 || text.take(',')) {
      found[i] = text.positive("a bandwidth in GB/s") * gigabyte;
      if (!is_bandwidth(found[i])) text.fail("a bandwidth from 1e-9 to 1e9 GB/s");
    } else {
      found[i] = found[i - 1];
    }
  }
  return found;
}

std::unique_ptr<const network> make_torus(reader& text, bool wraps) {
  std::vector<torus::dimension> dimensions;
  do {
    dimensions.push_back({.extent = text.number(), .wraps = wraps});
    if (text.take('m')) dimensions.back().wraps = false;
  } while (text.take('x'));
  const std::uint32_t nodes_a_router = text.take('*') ? text.number() : 1;
  const std::vector<double> speeds = bandwidths(text, dimensions.size());
  for (std::size_t d = 0; d < dimensions.size(); ++d) dimensions[d].bandwidth = speeds[d];
  return std::make_unique<torus>(std::move(dimensions), nodes_a_router);
}

std::unique_ptr<const network> make_hypercube(reader& text) {
  const std::uint32_t dimensions = text.number();
  return std::make_unique<torus>(hypercube(dimensions, bandwidths(text, 1).front()));
}

std::unique_ptr<const network> make_fat_tree(reader& text) {
  const std::uint32_t levels = text.number();
  std::vector<fat_tree::level> shape;
  const auto row = [&](const char* what, auto member) {
    text.expect(';', what);
    const std::vector<std::uint32_t> each = text.numbers(',');
    if (each.size() != levels) text.fail(std::to_string(levels) + " " + what);
    shape.resize(levels);
    for (std::size_t l = 0; l < levels; ++l) shape[l].*member = each[l];
  };
  row("numbers of children", &fat_tree::level::children);
  row("numbers of parents", &fat_tree::level::parents);
  row("numbers of cables", &fat_tree::level::cables);
  const std::vector<double> speeds = bandwidths(text, levels);
  for (std::size_t l = 0; l < levels; ++l) shape[l].bandwidth = speeds[l];
  return std::make_unique<fat_tree>(shape);
}

std::unique_ptr<const network> make_dragonfly(reader& text) {
  dragonfly::shape form;
  form.groups = text.number();
  text.expect('x', "the chassis of a group");
  form.chassis = text.number();
  text.expect('x', "the blades of a chassis");
  form.blades = text.number();
  text.expect('x', "the nodes of a blade");
  form.nodes = text.number();
  if (text.take('v')) form.ways = dragonfly::routing::valiant;
  const std::vector<double> speeds = bandwidths(text, 4);
  form.node_bandwidth = speeds[0];
  form.blade_bandwidth = speeds[1];
  form.chassis_bandwidth = speeds[2];
  form.group_bandwidth = speeds[3];
  return std::make_unique<dragonfly>(form);
}

std::unique_ptr<const network> make_tree(reader& text) {
  std::vector<std::uint32_t> fan_out = text.numbers('x');
  std::ranges::reverse(fan_out);
  const std::vector<double> speeds = bandwidths(text, fan_out.size());
  std::vector<fat_tree::level> levels;
  levels.reserve(fan_out.size());
  for (std::size_t l = 0; l < fan_out.size(); ++l) {
    levels.push_back({.children = fan_out[l], .bandwidth = speeds[l]});
  }
  return std::make_unique<fat_tree>(levels);
}

}  // namespace

std::unique_ptr<const network> make_network(std::string_view specification) {
  constexpr std::string_view call = "topology::make_network";
  reader text(specification, call,
              "write torus:8x8x6, mesh:16x16, hypercube:7, fat-tree:2;4,4;1,2;1,2, "
              "dragonfly:8x6x16x4 or tree:4x8x16");
  const std::string_view kind = text.kind();
  const auto made = [&](auto make, auto... more) {
    text.expect(':', "its numbers");
    try {
      std::unique_ptr<const network> network = make(text, more...);
      text.expect_end();
      return network;
    } catch (const error& wrong) {
      if (wrong.call() == call) throw;
      // Reports the user's specification, not the underlying torus or fat tree.
      throw error(call, "'" + std::string(specification) + "': " + wrong.problem(), wrong.advice());
    }
  };
  if (kind == "torus") return made(make_torus, true);
  if (kind == "mesh") return made(make_torus, false);
  if (kind == "hypercube") return made(make_hypercube);
  if (kind == "fat-tree") return made(make_fat_tree);
  if (kind == "dragonfly") return made(make_dragonfly);
  if (kind == "tree") return made(make_tree);
  text.fail_kind("network");
}

std::vector<node_t> make_nodes(std::string_view list) {
  constexpr std::size_t most = std::size_t{1} << 24;
  reader text(list, "topology::make_nodes", "write numbers and ranges, for example 0-63,70");
  std::vector<node_t> nodes;
  do {
    const node_t first = text.number();
    const node_t last = text.take('-') ? text.number() : first;
    if (last < first) text.fail("a range whose end is at least its begin");
    if (last - first >= most - nodes.size()) text.fail("at most 2^24 nodes");
    for (node_t node = first; node <= last; ++node) nodes.push_back(node);
  } while (text.take(','));
  text.expect_end();
  return nodes;
}

}  // namespace acre::topology
