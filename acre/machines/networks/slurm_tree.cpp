// SPDX-License-Identifier: BSD-3-Clause
// Reads Slurm's switch trees.
#include <acre/machines/networks/bandwidth_text.hpp>
#include <acre/machines/networks/hostlist.hpp>
#include <acre/machines/networks/name_numbers.hpp>
#include <acre/machines/networks/remarks.hpp>
#include <acre/machines/networks/slurm_lines.hpp>
#include <acre/machines/networks/switch_tree.hpp>
#include <acre/topology/graph.hpp>

#include <algorithm>
#include <numeric>
#include <set>

namespace acre::machines {
namespace {

struct switch_line {
  std::size_t number;
  std::vector<std::string> children;
  tree_switch made;
};

std::string list_of(const std::vector<std::string>& names) {
  constexpr std::size_t shown = 4;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), shown); ++i) {
    text += (i == 0 ? "" : ", ") + in_quotes(names[i]);
  }
  if (names.size() > shown) text += " and " + std::to_string(names.size() - shown) + " more";
  return text;
}

class slurm_tree {
 public:
  explicit slurm_tree(const source_text& file)
      : file_(file), remarks_(file), switches_(file, "switch"), nodes_(file, "node") {}

  void add(const slurm_line& line) {
    switch_line next{.number = line.number, .children = {}, .made = {}};
    std::vector<std::string> names;
    bool is_shown = false;
    for (const auto& [name, value] : line.attributes) {
      if (same_word(name, "Level")) {
        if (!as_number(value)) {
          file_.fail(line.number, "Level=" + in_quotes(value) + " is not a number",
                     "write the file again with: scontrol show topology");
        }
        is_shown = true;
      } else if (same_word(name, "SwitchName")) {
        names = names_in(line, value);
      } else if (same_word(name, "Switches")) {
        next.children = names_in(line, value);
      } else if (same_word(name, "Nodes")) {
        next.made.nodes = names_in(line, value);
      } else if (same_word(name, "LinkSpeed")) {
        next.made.bandwidth = bandwidth_in(line, value);
      } else {
        fail_slurm_attribute(file_, line, name);
      }
    }
    if (names.size() != 1) {
      file_.fail(line.number, "the line of a switch does not have exactly one name",
                 "begin it with SwitchName=s0");
    }
    if (is_shown) read_as_shown(line, next);
    add_nodes(line, names.front(), next.made.nodes);
    switches_.add(names.front(), line.number);
    lines_.push_back(std::move(next));
  }

  described_network result() {
    join_children();
    leave_out_empty(from_roots());
    if (nodes_.size() == 0) file_.fail("no switch has a node", "add Nodes= to the leaf switches");
    const std::uint32_t root = only_root();
    described_network made = is_tree_ ? tree_below(root) : make_graph();
    made.warnings = remarks_.texts();
    return made;
  }

 private:
  /// In `scontrol show topology`, an upper switch lists all nodes below it, and LinkSpeed is 1 if
  /// unset.
  static void read_as_shown(const slurm_line& line, switch_line& shown) {
    if (!shown.children.empty()) shown.made.nodes.clear();
    for (const auto& [name, value] : line.attributes) {
      if (same_word(name, "LinkSpeed") && value == "1")
        shown.made.bandwidth = topology::usual_bandwidth;
    }
  }

  std::vector<std::string> names_in(const slurm_line& line, std::string_view list) {
    return file_.at_line(line.number, [&] { return expand_hostlist(list, most_nodes); });
  }

  double bandwidth_in(const slurm_line& line, std::string_view value) {
    const auto known = as_bandwidth(value, topology::gigabyte);
    if (known) return *known;
    remarks_.add(line.number, "LinkSpeed=" + in_quotes(value) + " is not a known bandwidth",
                 "10 GB/s are assumed; write 12.5GB/s, 100Gb/s or 12.5 (in GB/s)");
    return topology::usual_bandwidth;
  }

  void add_nodes(const slurm_line& line, const std::string& name, std::vector<std::string>& nodes) {
    std::set<std::string_view> here;
    std::vector<std::string> kept;
    for (const std::string& node : nodes) {
      if (!here.insert(node).second) {
        remarks_.add(line.number, "duplicate node " + in_quotes(node) + " in the line",
                     "it is used once");
        continue;
      }
      if (const auto known = nodes_.find(node)) {
        remarks_.add(line.number,
                     "node " + in_quotes(node) + " is below a second switch, " + in_quotes(name) +
                         "; the first is in line " + std::to_string(nodes_.line(*known)),
                     "one node with a cable to each switch is assumed");
        is_tree_ = false;
      } else {
        nodes_.add(node, line.number);
      }
      kept.push_back(node);
    }
    nodes = std::move(kept);
  }

  void join_children() {
    parents_.resize(lines_.size());
    for (std::uint32_t parent = 0; parent < lines_.size(); ++parent) {
      for (const std::string& name : lines_[parent].children) join(parent, name);
    }
  }

  void join(std::uint32_t parent, const std::string& name) {
    const auto child = switches_.find(name);
    if (!child) {
      file_.fail(lines_[parent].number, "switch " + in_quotes(name) + " is not defined",
                 "add SwitchName=" + name +
                     " with its Switches= or Nodes=, or check that the file is complete");
    }
    if (!parents_[*child].empty() && parents_[*child].back() == parent) {
      remarks_.add(lines_[parent].number, "duplicate switch " + in_quotes(name) + " in the line",
                   "it is used once");
      return;
    }
    lines_[parent].made.switches.push_back(*child);
    parents_[*child].push_back(parent);
    if (parents_[*child].size() > 1) is_tree_ = false;
    if (++joined_ > most_links) file_.fail("the file has more than 2^23 cables", if_too_large);
  }

  /// Parents first (topological order); fails on a cycle.
  [[nodiscard]] std::vector<std::uint32_t> from_roots() const {
    std::vector<std::size_t> above;
    std::vector<std::uint32_t> free;
    for (std::uint32_t which = 0; which < parents_.size(); ++which) {
      above.push_back(parents_[which].size());
      if (above.back() == 0) free.push_back(which);
    }
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
                     " is in a cycle of Switches=, or below one",
                 "list in Switches= only switches nearer to the nodes");
    }
    return free;
  }

  /// Nodes of empty switches may register with Slurm later.
  void leave_out_empty(const std::vector<std::uint32_t>& order) {
    is_used_.assign(lines_.size(), false);
    for (auto next = order.rbegin(); next != order.rend(); ++next) {
      tree_switch& here = lines_[*next].made;
      std::erase_if(here.switches, [&](std::uint32_t below) { return !is_used_[below]; });
      is_used_[*next] = !here.nodes.empty() || !here.switches.empty();
      if (is_used_[*next]) continue;
      remarks_.add(lines_[*next].number,
                   "switch " + in_quotes(switches_.name(*next)) + " has no node below it",
                   "it is ignored");
    }
  }

  /// Returns the only root; any, if all nodes are connected below; else a new switch above all
  /// roots.
  std::uint32_t only_root() {
    std::vector<std::uint32_t> roots;
    for (std::uint32_t which = 0; which < lines_.size(); ++which) {
      if (is_used_[which] && parents_[which].empty()) roots.push_back(which);
    }
    if (roots.size() == 1) return roots.front();
    if (is_joined()) {
      is_tree_ = false;
      return roots.front();
    }
    switch_line above{.number = 0, .children = {}, .made = {}};
    above.made.bandwidth = 0;
    std::vector<std::string> names;
    for (const std::uint32_t root : roots) {
      names.push_back(switches_.name(root));
      above.made.bandwidth = std::max(above.made.bandwidth, lines_[root].made.bandwidth);
    }
    above.made.switches = roots;
    remarks_.add(lines_[roots.front()].number, "no switch is above " + list_of(names),
                 "a switch that connects them is assumed, with the widest of their bandwidths");
    lines_.push_back(std::move(above));
    is_used_.push_back(true);
    return static_cast<std::uint32_t>(lines_.size() - 1);
  }

  [[nodiscard]] bool is_joined() const {
    std::vector<std::uint32_t> piece(nodes_.size() + lines_.size());
    std::iota(piece.begin(), piece.end(), 0U);
    const auto find = [&](std::uint32_t of) {
      while (piece[of] != of) of = piece[of] = piece[piece[of]];
      return of;
    };
    std::size_t pieces = nodes_.size();
    for (std::uint32_t which = 0; which < lines_.size(); ++which) {
      if (!is_used_[which]) continue;
      ++pieces;
      const auto join = [&](std::uint32_t with) {
        const std::uint32_t a = find(nodes_.size() + which);
        const std::uint32_t b = find(with);
        if (a != b) --pieces;
        piece[a] = b;
      };
      for (const std::string& node : lines_[which].made.nodes) join(*nodes_.find(node));
      for (const std::uint32_t below : lines_[which].made.switches) join(nodes_.size() + below);
    }
    return pieces == 1;
  }

  described_network tree_below(std::uint32_t root) {
    std::vector<tree_switch> made;
    made.reserve(lines_.size());
    for (switch_line& each : lines_) made.push_back(std::move(each.made));
    return file_.as_a_whole([&] { return network_of_tree(made, root); });
  }

  [[nodiscard]] described_network make_graph() const {
    std::vector<topology::graph::cable> cables;
    const auto switches = static_cast<std::uint32_t>(lines_.size());
    for (std::uint32_t which = 0; which < switches; ++which) {
      const tree_switch& here = lines_[which].made;
      const topology::graph::vertex_t vertex = nodes_.size() + which;
      for (const std::string& node : here.nodes) {
        cables.push_back({.a = *nodes_.find(node), .b = vertex, .bandwidth = here.bandwidth});
      }
      for (const std::uint32_t below : here.switches) {
        cables.push_back({.a = nodes_.size() + below, .b = vertex, .bandwidth = here.bandwidth});
      }
    }
    described_network made{.network = nullptr, .node_names = nodes_.names()};
    made.network = file_.as_a_whole([&] {
      return std::make_unique<topology::graph>(
          nodes_.size(), switches, cables,
          topology::groups_by_switches(nodes_.size(), switches, cables));
    });
    return made;
  }

  const source_text& file_;
  remarks remarks_;
  name_numbers switches_;
  name_numbers nodes_;
  std::vector<switch_line> lines_;
  std::vector<std::vector<std::uint32_t>> parents_;
  std::vector<bool> is_used_;
  bool is_tree_ = true;
  std::size_t joined_ = 0;
};

}  // namespace

described_network network_of_switches(const source_text& file, std::span<const slurm_line> lines) {
  slurm_tree tree(file);
  for (const slurm_line& line : lines) tree.add(line);
  return tree.result();
}

}  // namespace acre::machines
