#include <acre/machines/networks/slurm_topology.hpp>

#include <acre/machines/networks/slurm_lines.hpp>

#include <algorithm>

namespace acre::topology {
namespace {

bool is_of_blocks(const slurm_line& line) {
  const std::string& kind = line.attributes.front().name;
  return same_word(kind, "BlockName") || same_word(kind, "BlockSizes");
}

}  // namespace

described_network read_slurm_topology(const source_text& file) {
  const std::vector<slurm_line> lines = slurm_lines(file);
  if (lines.empty()) file.fail("there is no switch and no block", "is the file complete?");
  const bool blocks = is_of_blocks(lines.front());
  const auto other = std::ranges::find(lines, !blocks, is_of_blocks);
  if (other != lines.end()) {
    file.fail(other->number, "switches and blocks are mixed", "describe one or the other");
  }
  return blocks ? network_of_blocks(file, lines) : network_of_switches(file, lines);
}

}  // namespace acre::topology
