// SPDX-License-Identifier: BSD-3-Clause
#include <acre/machines/networks/network_file.hpp>

#include <acre/machines/networks/cray_coordinates.hpp>
#include <acre/machines/networks/cray_placement.hpp>
#include <acre/machines/networks/ibnetdiscover.hpp>
#include <acre/machines/networks/json_network.hpp>
#include <acre/machines/networks/scotch_target.hpp>
#include <acre/machines/networks/simgrid_platform.hpp>
#include <acre/machines/networks/slingshot_placement.hpp>
#include <acre/machines/networks/slurm_topology.hpp>
#include <acre/topology/specification.hpp>

#include <algorithm>
#include <array>
#include <filesystem>

namespace acre::machines {
namespace {

using read_function = described_network (*)(const source_text&);

struct line_kind {
  std::string_view name;
  bool (*is_of_it)(std::string_view first_word, const text_line& line);
  read_function read;
};

bool is_slurm(std::string_view word, const text_line&) {
  const std::string_view name = word.substr(0, word.find('='));
  return name.size() < word.size() &&
         (same_word(name, "SwitchName") || same_word(name, "BlockName") ||
          same_word(name, "BlockSizes") || same_word(name, "AggregatedBlock") ||
          same_word(name, "RingName"));
}

bool is_slurm_yaml(std::string_view word, const text_line& line) {
  const std::vector<std::string_view> words = words_of(line.text);
  return word == "-" && words.size() > 1 && words[1] == "topology:";
}

bool is_infiniband(std::string_view word, const text_line& line) {
  return word.starts_with("vendid=") || ((word == "Switch" || word == "Ca" || word == "Rt") &&
                                         line.text.find('"') != std::string_view::npos);
}

bool is_xtdb2proc(std::string_view, const text_line& line) {
  return is_processor_record(line.text);
}

bool is_coordinates(std::string_view, const text_line& line) {
  return is_coordinate_line(line.text);
}

bool is_cray(std::string_view, const text_line& line) {
  return std::ranges::any_of(words_of(line.text, ",;|"),
                             [](std::string_view word) { return as_cray_place(word).has_value(); });
}

bool is_slingshot(std::string_view, const text_line& line) {
  return std::ranges::any_of(words_of(line.text, ",;|"), [](std::string_view word) {
    return as_slingshot_place(word).has_value();
  });
}

bool is_scotch(std::string_view word, const text_line&) { return names_scotch_target(word); }

bool is_address(std::string_view, const text_line& line) {
  return std::ranges::any_of(words_of(line.text), [](std::string_view word) {
    return word.starts_with("SLURM_TOPOLOGY_ADDR") || word.find('.') != std::string_view::npos;
  });
}

/// Recognised by a line; most specific first.
constexpr std::array kinds_of_lines{
    line_kind{"Slurm's topology.conf", is_slurm, read_slurm_topology},
    line_kind{"Slurm's topology.yaml", is_slurm_yaml, read_slurm_yaml},
    line_kind{"Scotch's targets", is_scotch, read_scotch_target},
    line_kind{"ibnetdiscover's output", is_infiniband, read_ibnetdiscover},
    line_kind{"xtdb2proc's output", is_xtdb2proc, read_processor_table},
    line_kind{"tables of Cray coordinates", is_coordinates, read_coordinate_table},
    line_kind{"tables of Cray XC places", is_cray, read_cray_table},
    line_kind{"tables of Cray EX (Slingshot) places", is_slingshot, read_slingshot_table},
    line_kind{"Slurm's addresses", is_address, read_slurm_addresses}};

/// Checks the first 16 lines, as headings may precede the data.
read_function by_lines(const source_text& file) {
  constexpr std::size_t looked_at = 16;
  std::vector<text_line> lines = file.lines();
  lines.resize(std::min(lines.size(), looked_at));
  for (const line_kind& kind : kinds_of_lines) {
    for (const text_line& line : lines) {
      if (kind.is_of_it(words_of(line.text).front(), line)) return kind.read;
    }
  }
  return nullptr;
}

}  // namespace

described_network read_network(const source_text& file) {
  const std::string_view text = without_blanks_around(file.text());
  if (text.empty()) file.fail("the file is empty", "check that it was written completely");
  if (text.front() == '{') return read_json_network(file);
  if (text.front() == '<') {
    if (text.find("<topology") < text.find("<platform")) {
      file.fail("the file describes the inside of a node (hwloc), not a network of nodes",
                "pass it as acre map --inside FILE, or to machines::read_node_tree()");
    }
    return read_simgrid_platform(file);
  }
  if (const read_function read = by_lines(file)) return read(file);
  std::string known = "supported are ";
  for (const line_kind& kind : kinds_of_lines) known += std::string(kind.name) + ", ";
  file.fail(1, "the format of the network description is unknown",
            known + "SimGrid's platforms and Acre's JSON");
}

described_network read_network(const std::string& specification_or_path) {
  std::error_code none;
  if (std::filesystem::exists(specification_or_path, none)) {
    return read_network(source_text::load(specification_or_path));
  }
  if (specification_or_path.find(':') == std::string::npos) {
    throw error(
        "machines::read_network",
        in_quotes(specification_or_path) + " is neither an existing file nor a specification",
        "name a file, or write torus:8x8x6, fat-tree:2;4,4;1,2;1,2 …");
  }
  return {.network = topology::make_network(specification_or_path), .node_names = {}};
}

}  // namespace acre::machines
