// SPDX-License-Identifier: BSD-3-Clause
// Builds a switch tree from the node addresses that Slurm passes to tasks.
#include <acre/machines/networks/name_numbers.hpp>
#include <acre/machines/networks/slurm_topology.hpp>
#include <acre/machines/networks/switch_tree.hpp>

#include <algorithm>
#include <map>

namespace acre::machines {
namespace {

std::string_view value_of(std::string_view word) {
  const std::size_t sign = word.find('=');
  return sign == std::string_view::npos ? word : word.substr(sign + 1);
}

bool is_pattern(std::string_view word) {
  return word == "node" || word.starts_with("switch.") || word.starts_with("block.");
}

/// Splits an address at dots; with a pattern, not inside the node's name.
std::vector<std::string_view> parts_of(std::string_view address, std::string_view pattern) {
  auto most = static_cast<std::size_t>(std::ranges::count(pattern, '.'));
  if (pattern.empty()) most = address.size();
  std::vector<std::string_view> parts;
  while (parts.size() < most) {
    const std::size_t dot = address.find('.');
    if (dot == std::string_view::npos) break;
    parts.push_back(address.substr(0, dot));
    address.remove_prefix(dot + 1);
  }
  parts.push_back(address);
  return parts;
}

class address_tree {
 public:
  explicit address_tree(const source_text& file) : file_(file), nodes_(file, "node") {
    switches_.push_back({.switches = {}, .nodes = {}});
  }

  void add(const text_line& line) {
    const auto [address, pattern] = address_in(line);
    const std::vector<std::string_view> parts = parts_of(address, pattern);
    if (parts.size() < 2 || std::ranges::any_of(parts, &std::string_view::empty)) {
      file_.fail(line.number, "the address " + in_quotes(address) + " lacks a switch or a node",
                 "write an address of the form s0.s4.node7, and check that the cluster has a "
                 "topology plugin");
    }
    const std::string node(parts.back());
    if (node.size() > longest_name)
      file_.fail(line.number, "a name is too long", "use at most 255 characters");
    std::uint32_t here = 0;
    for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
      here = child(line, here, std::string(parts[i]));
    }
    if (const auto known = nodes_.find(node)) {
      if (switch_of_node_[*known] == here) return;
    }
    nodes_.add(node, line.number);
    switch_of_node_.push_back(here);
    switches_[here].nodes.push_back(node);
  }

  described_network result() {
    std::uint32_t root = 0;
    while (switches_[root].nodes.empty() && switches_[root].switches.size() == 1) {
      root = switches_[root].switches.front();
    }
    return file_.as_a_whole([&] { return network_of_tree(switches_, root); });
  }

 private:
  struct address_and_pattern {
    std::string_view address;
    std::string_view pattern;
  };

  [[nodiscard]] address_and_pattern address_in(const text_line& line) const {
    std::vector<std::string_view> words = words_of(line.text);
    std::string_view pattern;
    if (is_pattern(value_of(words.back()))) {
      pattern = value_of(words.back());
      words.pop_back();
    }
    // The first of two words is a node's name, or a label of `srun --label`.
    if (words.empty() || words.size() > 2) {
      file_.fail(line.number, "expected an address, found " + in_quotes(line.text),
                 "write a line of the form: node7 s0.s4.node7 switch.switch.node");
    }
    return {value_of(words.back()), pattern};
  }

  std::uint32_t child(const text_line& line, std::uint32_t of, std::string name) {
    if (name.size() > longest_name)
      file_.fail(line.number, "a name is too long", "use at most 255 characters");
    const auto next = static_cast<std::uint32_t>(switches_.size());
    const auto [known, added] = children_.emplace(std::pair(of, std::move(name)), next);
    if (added) {
      if (switches_.size() > most_nodes)
        file_.fail(line.number, "the file has more than 2^20 switches", if_too_large);
      switches_.push_back({.switches = {}, .nodes = {}});
      switches_[of].switches.push_back(next);
    }
    return known->second;
  }

  const source_text& file_;
  name_numbers nodes_;
  std::vector<std::uint32_t> switch_of_node_;
  std::vector<tree_switch> switches_;
  std::map<std::pair<std::uint32_t, std::string>, std::uint32_t> children_;
};

}  // namespace

described_network read_slurm_addresses(const source_text& file) {
  address_tree tree(file);
  for (const text_line& line : file.lines()) tree.add(line);
  return tree.result();
}

}  // namespace acre::machines
