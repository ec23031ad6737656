#include <acre/topology/specification.hpp>

#include <acre/base/specification.hpp>
#include <acre/topology/dragonfly.hpp>
#include <acre/topology/fat_tree.hpp>
#include <acre/topology/torus.hpp>

#include <string>
#include <utility>

namespace acre::topology {
namespace {

constexpr double gigabyte = 1e9;

using reader = specification_reader;

double bandwidth(reader& text) { return text.positive("a bandwidth in GB/s") * gigabyte; }

std::unique_ptr<const network> make_torus(reader& text, bool wraps) {
  std::vector<torus::dimension> dimensions;
  do {
    dimensions.push_back({.extent = text.number(), .wraps = wraps});
    if (text.take('m')) dimensions.back().wraps = false;
  } while (text.take('x'));
  const std::uint32_t nodes_a_router = text.take('*') ? text.number() : 1;
  if (text.take('@')) {
    double speed = bandwidth(text);
    for (std::size_t d = 0; d < dimensions.size(); ++d) {
      if (d != 0 && text.take(',')) speed = bandwidth(text);
      dimensions[d].bandwidth = speed;
    }
  }
  return std::make_unique<torus>(std::move(dimensions), nodes_a_router);
}

std::unique_ptr<const network> make_hypercube(reader& text) {
  const std::uint32_t dimensions = text.number();
  const double speed = text.take('@') ? bandwidth(text) : usual_bandwidth;
  return std::make_unique<torus>(hypercube(dimensions, speed));
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
  if (text.take('@')) {
    const double speed = bandwidth(text);
    for (fat_tree::level& each : shape) each.bandwidth = speed;
  }
  return std::make_unique<fat_tree>(std::move(shape));
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
  if (text.take('@')) {
    form.node_bandwidth = form.blade_bandwidth = form.chassis_bandwidth = form.group_bandwidth =
        bandwidth(text);
  }
  return std::make_unique<dragonfly>(form);
}

/// A fat tree whose every switch has one parent.
std::unique_ptr<const network> make_tree(reader& text) {
  const std::vector<std::uint32_t> fan_out = text.numbers('x');
  const double speed = text.take('@') ? bandwidth(text) : usual_bandwidth;
  std::vector<fat_tree::level> levels;
  for (auto each = fan_out.rbegin(); each != fan_out.rend(); ++each) {
    levels.push_back({.children = *each, .bandwidth = speed});
  }
  return std::make_unique<fat_tree>(std::move(levels));
}

}  // namespace

std::unique_ptr<const network> make_network(std::string_view specification) {
  reader text(specification, "topology::make_network",
              "write torus:8x8x6, mesh:16x16, hypercube:7, fat-tree:2;4,4;1,2;1,2, "
              "dragonfly:8x6x16x4 or tree:4x8x16");
  const std::string_view kind = text.kind();
  const auto made = [&](auto make, auto... more) {
    text.expect(':', "its numbers");
    std::unique_ptr<const network> network = make(text, more...);
    text.expect_end();
    return network;
  };
  if (kind == "torus") return made(make_torus, true);
  if (kind == "mesh") return made(make_torus, false);
  if (kind == "hypercube") return made(make_hypercube);
  if (kind == "fat-tree") return made(make_fat_tree);
  if (kind == "dragonfly") return made(make_dragonfly);
  if (kind == "tree") return made(make_tree);
  text.fail_kind("network");
}

}  // namespace acre::topology
