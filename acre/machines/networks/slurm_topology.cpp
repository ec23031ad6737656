// SPDX-License-Identifier: BSD-3-Clause
#include <acre/machines/networks/slurm_topology.hpp>

#include <acre/machines/networks/slurm_lines.hpp>

#include <algorithm>
#include <array>

namespace acre::machines {
namespace {

struct plugin {
  std::string_view names;
  described_network (*make)(const source_text&, std::span<const slurm_line>);
};
constexpr std::array plugins{plugin{"BlockName BlockSizes AggregatedBlock", network_of_blocks},
                             plugin{"RingName", network_of_rings}, plugin{"", network_of_switches}};

const plugin& plugin_of(const slurm_line& line) {
  return *std::ranges::find_if(plugins, [&](const plugin& each) {
    return each.names.empty() ||
           std::ranges::any_of(words_of(each.names), [&](std::string_view name) {
             return same_word(line.attributes.front().name, name);
           });
  });
}

}  // namespace

described_network read_slurm_topology(const source_text& file) {
  const std::vector<slurm_line> lines = slurm_lines(file);
  if (lines.empty())
    file.fail("the file contains no switch, block or ring", "check that the file is complete");
  const plugin& first = plugin_of(lines.front());
  for (const slurm_line& line : lines) {
    if (&plugin_of(line) == &first) continue;
    file.fail(line.number, "switches, blocks and rings are mixed", "use one kind only");
  }
  return first.make(file, lines);
}

}  // namespace acre::machines
