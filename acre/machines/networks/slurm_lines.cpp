// SPDX-License-Identifier: BSD-3-Clause
#include <acre/machines/networks/slurm_lines.hpp>

namespace acre::machines {
namespace {

std::string_view without_quotes(std::string_view value) {
  const bool quoted = value.size() > 2 && value.front() == '"' && value.back() == '"';
  return quoted ? value.substr(1, value.size() - 2) : value;
}

slurm_line line_of(const source_text& file, std::size_t number, std::string_view text) {
  slurm_line made{.number = number, .attributes = {}};
  for (const std::string_view word : words_of(text)) {
    if (made.attributes.empty() && same_word(word, "Include")) {
      file.fail(number, "Include is unsupported", "copy the lines of the included file here");
    }
    const std::size_t sign = word.find('=');
    if (sign == std::string_view::npos || sign + 1 == word.size()) {
      file.fail(number, "expected NAME=VALUE, found " + in_quotes(word),
                "write SwitchName=s0 Nodes=n[01-16] without blanks around '='");
    }
    made.attributes.push_back(
        {std::string(word.substr(0, sign)), std::string(without_quotes(word.substr(sign + 1)))});
  }
  return made;
}

}  // namespace

std::vector<slurm_line> slurm_lines(const source_text& file) {
  std::vector<slurm_line> found;
  std::size_t first = 0;
  std::string open;
  for (const text_line& each : file.lines()) {
    if (open.empty()) first = each.number;
    open += each.text;
    if (open.ends_with('\\')) {
      open.back() = ' ';
      continue;
    }
    slurm_line line = line_of(file, first, open);
    if (!line.attributes.empty()) found.push_back(std::move(line));
    open.clear();
  }
  if (!open.empty()) {
    file.fail(first, "end of file in a continued line", "check that the file is complete");
  }
  return found;
}

void fail_slurm_attribute(const source_text& file, const slurm_line& line,
                          const std::string& name) {
  file.fail(line.number, in_quotes(name) + " is an unknown attribute",
            "use SwitchName, Switches, Nodes, LinkSpeed, Level, BlockName, BlockSizes, BlockIndex, "
            "BlockSize, AggregatedBlock and RingName");
}

}  // namespace acre::machines
