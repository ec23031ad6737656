// SPDX-License-Identifier: BSD-3-Clause
// Reads Slurm's rings and tori, whose nodes have positions in a grid.
#include <acre/machines/networks/hostlist.hpp>
#include <acre/machines/networks/name_numbers.hpp>
#include <acre/machines/networks/slurm_lines.hpp>
#include <acre/topology/graph.hpp>
#include <acre/topology/torus.hpp>

#include <array>
#include <set>

namespace acre::machines {
namespace {

struct named_ring {
  std::size_t line;
  std::vector<std::string> names;
};

named_ring ring_in(const source_text& file, const slurm_line& line) {
  named_ring ring{.line = line.number, .names = {}};
  for (const slurm_attribute& each : line.attributes) {
    if (same_word(each.name, "RingName")) continue;
    if (!same_word(each.name, "Nodes")) fail_slurm_attribute(file, line, each.name);
    ring.names = file.at_line(line.number, [&] { return expand_hostlist(each.value, most_nodes); });
  }
  if (ring.names.empty()) {
    file.fail(line.number, "the ring has no nodes", "write RingName=r0 Nodes=n[01-08]");
  }
  return ring;
}

described_network only_ring(const source_text& file, named_ring ring) {
  const std::array extents{static_cast<std::uint32_t>(ring.names.size())};
  return network_of_grid(file, ring.line, extents, std::move(ring.names));
}

/// Joins rings by a switch at their first nodes, which shortens no inner path.
described_network joined(const source_text& file, std::span<const named_ring> rings) {
  name_numbers nodes(file, "node");
  std::vector<topology::graph::cable> cables;
  std::vector<std::uint32_t> firsts;
  topology::graph::grouping groups(1);
  for (const named_ring& ring : rings) {
    const std::uint32_t first = nodes.size();
    for (const std::string& name : ring.names) {
      if (nodes.size() > first) cables.push_back({.a = nodes.size() - 1, .b = nodes.size()});
      nodes.add(name, ring.line);
      groups.front().push_back(static_cast<std::uint32_t>(firsts.size()));
    }
    if (ring.names.size() > 2) cables.push_back({.a = nodes.size() - 1, .b = first});
    firsts.push_back(first);
  }
  for (const std::uint32_t first : firsts) cables.push_back({.a = first, .b = nodes.size()});
  described_network made{.network = nullptr, .node_names = nodes.names()};
  made.network = file.as_a_whole([&] {
    return std::make_unique<topology::graph>(nodes.size(), 1, std::move(cables), std::move(groups));
  });
  made.warnings.push_back(
      file.remark(rings[1].line,
                  "this ring has no link to the one before: a switch with a cable "
                  "to the first node of each is assumed"));
  return made;
}

}  // namespace

described_network network_of_grid(const source_text& file, std::size_t line,
                                  std::span<const std::uint32_t> extents,
                                  std::vector<std::string> names) {
  std::set<std::string_view> known;
  for (const std::string& name : names) {
    if (name.empty() || known.insert(name).second) continue;
    file.fail(line, "duplicate node " + in_quotes(name), "remove one of them");
  }
  std::vector<topology::torus::dimension> dimensions;
  for (const std::uint32_t extent : extents) dimensions.push_back({.extent = extent});
  return file.at_line(line, [&] {
    return described_network{.network = std::make_unique<topology::torus>(std::move(dimensions)),
                             .node_names = std::move(names)};
  });
}

described_network network_of_rings(const source_text& file, std::span<const slurm_line> lines) {
  std::vector<named_ring> rings;
  for (const slurm_line& line : lines) rings.push_back(ring_in(file, line));
  return rings.size() == 1 ? only_ring(file, std::move(rings.front())) : joined(file, rings);
}

}  // namespace acre::machines
