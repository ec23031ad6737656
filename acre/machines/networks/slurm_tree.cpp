// Switches of topology.conf by their names, as the tree plugin has them.
#include <acre/machines/networks/hostlist.hpp>
#include <acre/machines/networks/name_numbers.hpp>
#include <acre/machines/networks/slurm_lines.hpp>
#include <acre/machines/networks/switch_tree.hpp>
#include <acre/topology/graph.hpp>

#include <algorithm>
#include <cmath>

namespace acre::topology {
namespace {

struct switch_line {
  std::size_t number;
  std::vector<std::string> children;
  tree_switch made;
};

class slurm_tree {
 public:
  explicit slurm_tree(const source_text& file)
      : file_(file), switches_(file, "switch"), nodes_(file, "node") {}

  void add(const slurm_line& line) {
    switch_line next{.number = line.number, .children = {}, .made = {}};
    std::vector<std::string> names;
    for (const auto& [name, value] : line.attributes) {
      if (same_word(name, "SwitchName")) {
        names = names_in(line, value);
      } else if (same_word(name, "Switches")) {
        next.children = names_in(line, value);
      } else if (same_word(name, "Nodes")) {
        next.made.nodes = names_in(line, value);
      } else if (same_word(name, "LinkSpeed")) {
        const auto speed = as_positive(value);
        if (!speed || !is_bandwidth(*speed * gigabyte)) {
          file_.fail(line.number, "LinkSpeed is no bandwidth from 1e-9 to 1e9 GB/s",
                     "leave it out");
        }
        next.made.bandwidth = *speed * gigabyte;
      } else {
        fail_slurm_attribute(file_, line, name);
      }
    }
    if (names.size() != 1) {
      file_.fail(line.number, "a line of a switch needs one name", "begin it with SwitchName=s0");
    }
    if (next.children.empty() && next.made.nodes.empty()) {
      file_.fail(line.number, "switch " + in_quotes(names.front()) + " has nothing below it",
                 "add Nodes= or Switches=, or leave it out");
    }
    for (const std::string& node : next.made.nodes) nodes_.add(node, line.number);
    switches_.add(names.front(), line.number);
    lines_.push_back(std::move(next));
  }

  described_network result() {
    join_children();
    const std::vector<std::uint32_t> roots = find_roots();
    const bool is_tree =
        std::ranges::all_of(parents_, [](const auto& of) { return of.size() <= 1; });
    if (roots.size() == 1 && is_tree) {
      std::vector<tree_switch> made;
      made.reserve(lines_.size());
      for (switch_line& each : lines_) made.push_back(std::move(each.made));
      return file_.as_a_whole([&] { return network_of_tree(made, roots.front()); });
    }
    return make_graph(roots);
  }

 private:
  std::vector<std::string> names_in(const slurm_line& line, std::string_view list) {
    return file_.at_line(line.number, [&] { return expand_hostlist(list, most_nodes); });
  }

  void join_children() {
    parents_.resize(lines_.size());
    for (std::uint32_t parent = 0; parent < lines_.size(); ++parent) {
      for (const std::string& name : lines_[parent].children) {
        const auto child = switches_.find(name);
        if (!child) {
          file_.fail(lines_[parent].number, "no line describes switch " + in_quotes(name),
                     "add SwitchName=" + name + " with what is below it; is the file complete?");
        }
        if (!parents_[*child].empty() && parents_[*child].back() == parent) {
          file_.fail(lines_[parent].number, "switch " + in_quotes(name) + " is named twice",
                     "leave one of them out");
        }
        lines_[parent].made.switches.push_back(*child);
        parents_[*child].push_back(parent);
        if (++joined_ > most_links) file_.fail("there are more than 2^23 cables", if_too_large);
      }
    }
  }

  /// Those below no other. Takes switches away from above; what is left over is a circle.
  [[nodiscard]] std::vector<std::uint32_t> find_roots() const {
    std::vector<std::size_t> above;
    std::vector<std::uint32_t> free;
    for (std::uint32_t which = 0; which < parents_.size(); ++which) {
      above.push_back(parents_[which].size());
      if (above.back() == 0) free.push_back(which);
    }
    const std::vector<std::uint32_t> roots = free;
    for (std::size_t next = 0; next < free.size(); ++next) {
      for (const std::uint32_t below : lines_[free[next]].made.switches) {
        if (--above[below] == 0) free.push_back(below);
      }
    }
    if (free.size() != parents_.size()) {
      const auto caught = std::ranges::find_if(above, [](std::size_t of) { return of != 0; });
      const auto which = static_cast<std::uint32_t>(caught - above.begin());
      file_.fail(lines_[which].number,
                 "switch " + in_quotes(switches_.name(which)) +
                     " is in a circle of Switches=, or below one",
                 "a switch may only name switches nearer to the nodes");
    }
    return roots;
  }

  [[nodiscard]] described_network make_graph(const std::vector<std::uint32_t>& roots) const {
    if (nodes_.size() == 0) file_.fail("no switch has a node", "name the nodes of leaves");
    std::vector<graph::cable> cables;
    for (std::uint32_t which = 0; which < lines_.size(); ++which) {
      const tree_switch& here = lines_[which].made;
      const graph::vertex_t vertex = nodes_.size() + which;
      for (const std::string& node : here.nodes) {
        cables.push_back({.a = *nodes_.find(node), .b = vertex, .bandwidth = here.bandwidth});
      }
      for (const std::uint32_t below : here.switches) {
        cables.push_back({.a = nodes_.size() + below, .b = vertex, .bandwidth = here.bandwidth});
      }
    }
    described_network made{.network = nullptr, .node_names = nodes_.names()};
    try {
      made.network = std::make_unique<graph>(
          nodes_.size(), static_cast<std::uint32_t>(lines_.size()), cables,
          groups_by_switches(nodes_.size(), static_cast<std::uint32_t>(lines_.size()), cables));
    } catch (const error&) {
      file_.fail(
          lines_[roots.back()].number,
          "not all nodes can be reached from switch " + in_quotes(switches_.name(roots.back())),
          "add a switch above all that are below none: SwitchName=top Switches=…");
    }
    return made;
  }

  const source_text& file_;
  name_numbers switches_;
  name_numbers nodes_;
  std::vector<switch_line> lines_;
  std::vector<std::vector<std::uint32_t>> parents_;
  std::size_t joined_ = 0;
};

}  // namespace

described_network network_of_switches(const source_text& file, std::span<const slurm_line> lines) {
  slurm_tree tree(file);
  for (const slurm_line& line : lines) tree.add(line);
  return tree.result();
}

}  // namespace acre::topology
