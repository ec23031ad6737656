// SPDX-License-Identifier: BSD-3-Clause
// Reads the blocks of topology.conf, and builds a tree of the larger blocks that they form.
#include <acre/machines/networks/hostlist.hpp>
#include <acre/machines/networks/name_numbers.hpp>
#include <acre/machines/networks/slurm_lines.hpp>
#include <acre/machines/networks/switch_tree.hpp>

#include <algorithm>
#include <bit>
#include <numeric>
#include <set>

namespace acre::machines {
namespace {

class slurm_blocks {
 public:
  explicit slurm_blocks(const source_text& file)
      : file_(file), blocks_(file, "block"), nodes_(file, "node") {}

  void add(const slurm_line& line) {
    tree_switch next;
    std::string name;
    bool is_block = false;
    bool is_aggregated = false;
    std::string_view size;
    for (const slurm_attribute& each : line.attributes) {
      const std::string& key = each.name;
      const std::string& value = each.value;
      if (same_word(key, "BlockName")) {
        is_block = true;
        name = value;
      } else if (same_word(key, "Nodes")) {
        next.nodes = file_.at_line(line.number, [&] { return expand_hostlist(value, most_nodes); });
      } else if (same_word(key, "BlockSizes")) {
        read_sizes(line, value);
      } else if (same_word(key, "AggregatedBlock")) {
        is_aggregated = true;
      } else if (same_word(key, "BlockSize")) {
        size = value;
      } else if (same_word(key, "BlockIndex")) {
        continue;
      } else {
        fail_slurm_attribute(file_, line, key);
      }
    }
    if (!size.empty()) add_shown_size(line, size);
    if (is_aggregated || (!is_block && next.nodes.empty())) return;
    if (name.empty() || next.nodes.empty()) {
      file_.fail(line.number, "a line of a block needs a name and nodes",
                 "write BlockName=b0 Nodes=n[01-18]");
    }
    blocks_.add(name, line.number);
    for (const std::string& node : next.nodes) nodes_.add(node, line.number);
    switches_.push_back(std::move(next));
  }

  described_network result() {
    if (switches_.empty())
      file_.fail("the file contains no block", "write BlockName=b0 Nodes=n[01-18]");
    if (sizes_.empty()) sizes_.assign(shown_sizes_.begin(), shown_sizes_.end());
    std::vector<std::uint32_t> level(switches_.size());
    std::iota(level.begin(), level.end(), 0U);
    for (std::size_t i = 1; i < sizes_.size(); ++i) {
      level = in_groups(level, sizes_[i] / sizes_[i - 1]);
    }
    if (level.size() > 1) level = in_groups(level, level.size());
    return file_.as_a_whole([&] { return network_of_tree(switches_, level.front()); });
  }

 private:
  void add_shown_size(const slurm_line& line, std::string_view text) {
    const auto size = as_number(text);
    const bool fits = size && *size != 0 &&
                      (shown_sizes_.empty() || *size % *shown_sizes_.begin() == 0 ||
                       *shown_sizes_.begin() % *size == 0);
    if (!fits) {
      file_.fail(line.number,
                 "BlockSize=" + in_quotes(text) + " is not a multiple of other blocks' sizes",
                 "write the file again with: scontrol show topology");
    }
    shown_sizes_.insert(*size);
  }

  void read_sizes(const slurm_line& line, std::string_view list) {
    if (!sizes_.empty()) file_.fail(line.number, "BlockSizes is given twice", "keep one of them");
    for (const std::string_view word : words_of(list, ",")) {
      const auto size = as_number(word);
      const bool fits = size && *size != 0 &&
                        (sizes_.empty() || (*size > sizes_.back() && *size % sizes_.back() == 0 &&
                                            std::has_single_bit(*size / sizes_.back())));
      if (!fits) {
        file_.fail(line.number, "BlockSizes has an invalid size, " + in_quotes(word),
                   "write each size as the one before times 2, 4, 8, …: BlockSizes=16,64");
      }
      sizes_.push_back(*size);
    }
  }

  std::vector<std::uint32_t> in_groups(const std::vector<std::uint32_t>& level, std::size_t each) {
    std::vector<std::uint32_t> above;
    for (std::size_t begin = 0; begin < level.size(); begin += each) {
      const auto some = std::span(level).subspan(begin, std::min(each, level.size() - begin));
      above.push_back(static_cast<std::uint32_t>(switches_.size()));
      switches_.push_back({.switches = {some.begin(), some.end()}, .nodes = {}});
    }
    return above;
  }

  const source_text& file_;
  name_numbers blocks_;
  name_numbers nodes_;
  std::vector<std::uint32_t> sizes_;
  std::set<std::uint32_t> shown_sizes_;
  std::vector<tree_switch> switches_;
};

}  // namespace

described_network network_of_blocks(const source_text& file, std::span<const slurm_line> lines) {
  slurm_blocks blocks(file);
  for (const slurm_line& line : lines) blocks.add(line);
  return blocks.result();
}

}  // namespace acre::machines
