// SPDX-License-Identifier: BSD-3-Clause
#include <acre/machines/networks/switch_tree.hpp>

#include <acre/base/error.hpp>
#include <acre/topology/fat_tree.hpp>
#include <acre/topology/graph.hpp>

#include <algorithm>
#include <optional>

namespace acre::machines {
namespace {

constexpr std::size_t most_levels = 32;

class tree_walk {
 public:
  tree_walk(const std::vector<tree_switch>& switches, std::uint32_t root) : switches_(switches) {
    std::vector<std::uint32_t> way;
    visit(root, way);
    if (names_.empty()) {
      throw error("machines::network_of_tree", "no switch has a node",
                  "list the nodes of the leaf switches");
    }
  }

  described_network result() {
    described_network made{.network = nullptr, .node_names = std::move(names_)};
    if (is_regular()) {
      made.network = std::make_unique<topology::fat_tree>(regular_levels());
    } else {
      made.network = make_graph();
    }
    return made;
  }

 private:
  void visit(std::uint32_t which, std::vector<std::uint32_t>& way) {
    if (way.size() == most_levels) {
      throw error("machines::network_of_tree", "the tree has more than 32 levels",
                  "check that no switch is below itself");
    }
    way.push_back(which);
    depth_of_switch_.push_back({which, way.size() - 1});
    for (const std::string& name : switches_[which].nodes) {
      names_.push_back(name);
      switch_of_node_.push_back(which);
      ways_.push_back(leaf_number(way));
    }
    for (const std::uint32_t below : switches_[which].switches) visit(below, way);
    way.pop_back();
  }

  std::uint32_t leaf_number(const std::vector<std::uint32_t>& way) {
    if (leaves_.empty() || leaves_.back() != way) leaves_.push_back(way);
    return static_cast<std::uint32_t>(leaves_.size() - 1);
  }

  [[nodiscard]] bool is_regular() const {
    std::vector<const tree_switch*> first(most_levels, nullptr);
    for (const auto& [which, depth] : depth_of_switch_) {
      const tree_switch& here = switches_[which];
      if (first[depth] == nullptr) first[depth] = &here;
      const tree_switch& model = *first[depth];
      if (here.switches.size() != model.switches.size() ||
          here.nodes.size() != model.nodes.size() || here.bandwidth != model.bandwidth ||
          here.switches.empty() == here.nodes.empty()) {
        return false;
      }
    }
    return true;
  }

  [[nodiscard]] std::vector<topology::fat_tree::level> regular_levels() const {
    std::vector<topology::fat_tree::level> levels;
    levels.reserve(leaves_.front().size());
    for (const std::uint32_t which : leaves_.front()) {
      const tree_switch& here = switches_[which];
      const std::size_t children = here.switches.size() + here.nodes.size();
      levels.push_back(
          {.children = static_cast<std::uint32_t>(children), .bandwidth = here.bandwidth});
    }
    std::ranges::reverse(levels);
    return levels;
  }

  [[nodiscard]] std::unique_ptr<const topology::network> make_graph() const {
    const auto nodes = static_cast<topology::node_t>(made_nodes());
    std::vector<topology::graph::cable> cables;
    for (topology::node_t node = 0; node < nodes; ++node) {
      const std::uint32_t which = switch_of_node_[node];
      cables.push_back({.a = node, .b = nodes + which, .bandwidth = switches_[which].bandwidth});
    }
    for (const auto& [which, depth] : depth_of_switch_) {
      for (const std::uint32_t below : switches_[which].switches) {
        cables.push_back(
            {.a = nodes + below, .b = nodes + which, .bandwidth = switches_[which].bandwidth});
      }
    }
    return std::make_unique<topology::graph>(nodes, static_cast<std::uint32_t>(switches_.size()),
                                             std::move(cables), groups());
  }

  /// Groups per level; nodes above `depth` stay in their switch's group.
  [[nodiscard]] topology::graph::grouping groups() const {
    std::size_t deepest = 0;
    for (const auto& way : leaves_) deepest = std::max(deepest, way.size());
    topology::graph::grouping found;
    for (std::size_t depth = 1; depth < deepest; ++depth) {
      std::vector<std::uint32_t> level;
      level.reserve(ways_.size());
      for (const std::uint32_t leaf : ways_) {
        level.push_back(leaves_[leaf][std::min(depth, leaves_[leaf].size() - 1)]);
      }
      const bool says_more =
          found.empty() ? level != std::vector(level.size(), level.front()) : level != found.back();
      if (says_more) found.push_back(std::move(level));
    }
    return found;
  }

  [[nodiscard]] std::size_t made_nodes() const { return switch_of_node_.size(); }

  struct switch_at {
    std::uint32_t which;
    std::size_t depth;
  };

  const std::vector<tree_switch>& switches_;
  std::vector<std::string> names_;
  std::vector<std::uint32_t> switch_of_node_;
  std::vector<switch_at> depth_of_switch_;
  std::vector<std::vector<std::uint32_t>> leaves_;
  std::vector<std::uint32_t> ways_;
};

}  // namespace

described_network network_of_tree(const std::vector<tree_switch>& switches, std::uint32_t root) {
  return tree_walk(switches, root).result();
}

}  // namespace acre::machines
