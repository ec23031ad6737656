// SPDX-License-Identifier: BSD-3-Clause
#include <acre/machines/networks/cray_coordinates.hpp>

#include <acre/machines/networks/cray_placement.hpp>
#include <acre/machines/networks/name_numbers.hpp>
#include <acre/machines/networks/place_text.hpp>
#include <acre/machines/networks/remarks.hpp>
#include <acre/topology/torus.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace acre::machines {
namespace {

constexpr std::size_t dimensions = 3;
constexpr std::uint32_t nodes_of_gemini = 2;
constexpr std::uint32_t slots_of_cage = 8;
constexpr std::uint32_t most_coordinate = 1U << 16;

/// Narrowest links of a Gemini by dimension: two cables in x and z, one in y.
constexpr std::array<double, dimensions> gemini_links{
    9.4 * topology::gigabyte, 4.7 * topology::gigabyte, 9.4 * topology::gigabyte};

using coordinates = std::array<std::uint32_t, dimensions>;

struct located_node {
  std::string name{};
  std::size_t line = 0;
  std::optional<cray_place> place{};
  coordinates at{};
};

std::string text_of(const cray_place& place) {
  return "c" + std::to_string(place.column) + "-" + std::to_string(place.row) + "c" +
         std::to_string(place.chassis) + "s" + std::to_string(place.slot) + "n" +
         std::to_string(place.node);
}

std::string text_of(const coordinates& at) {
  return "(" + std::to_string(at[0]) + "," + std::to_string(at[1]) + "," + std::to_string(at[2]) +
         ")";
}

std::string nid(std::uint32_t number) {
  const std::string digits = std::to_string(number);
  return "nid" + std::string(5 - std::min<std::size_t>(5, digits.size()), '0') + digits;
}

/// True for an XC: its chassis have 16 slots, and the four nodes of a blade share coordinates.
/// Others have two Geminis or four routers per blade.
bool is_of_xc(const std::vector<located_node>& nodes) {
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>, coordinates>
      firsts;
  for (const located_node& each : nodes) {
    if (!each.place) return false;
    if (each.place->slot >= slots_of_cage) return true;
    const auto& [column, row, chassis, slot, node] = *each.place;
    if (node < nodes_of_gemini) firsts.emplace(std::tuple(column, row, chassis, slot), each.at);
  }
  return std::ranges::any_of(nodes, [&](const located_node& each) {
    const auto& [column, row, chassis, slot, node] = *each.place;
    const auto first = firsts.find({column, row, chassis, slot});
    return node >= nodes_of_gemini && first != firsts.end() && first->second == each.at;
  });
}

described_network dragonfly_of(const source_text& file, const std::vector<located_node>& nodes) {
  cray_cabinets cabinets(file);
  for (const located_node& each : nodes) {
    cabinets.add(each.line, *each.place, text_of(*each.place), each.name);
  }
  return cabinets.result();
}

described_network torus_of(const source_text& file, const std::vector<located_node>& nodes) {
  coordinates extents{1, 1, 1};
  for (const located_node& each : nodes) {
    for (std::size_t d = 0; d < dimensions; ++d) extents[d] = std::max(extents[d], each.at[d] + 1);
  }
  std::uint64_t routers = 1;
  for (const std::uint32_t extent : extents) routers *= extent;
  if (routers > most_nodes / nodes_of_gemini)
    file.fail("the machine has more than 2^20 nodes", "check that it is the right file");

  name_numbers names(file, "node");
  std::vector<std::array<std::string, nodes_of_gemini>> names_at(routers);
  std::uint32_t most = 1;
  for (const located_node& each : nodes) {
    names.add(each.name, each.line);
    auto& here =
        names_at[(each.at[2] * std::size_t{extents[1]} + each.at[1]) * extents[0] + each.at[0]];
    const auto free = std::ranges::find(here, "");
    if (free == here.end()) {
      file.fail(each.line, "three nodes have the coordinates " + text_of(each.at),
                "correct them: a Gemini has two nodes");
    }
    *free = each.name;
    most = std::max(most, static_cast<std::uint32_t>(free - here.begin()) + 1);
  }
  std::vector<topology::torus::dimension> shape;
  shape.reserve(dimensions);
  for (std::size_t d = 0; d < dimensions; ++d) {
    shape.push_back({.extent = extents[d], .bandwidth = gemini_links[d]});
  }
  remarks notes(file);
  notes.add(nodes.front().line, "coordinates do not describe cables",
            "a torus of the largest coordinates is assumed, with 9.4 GB/s in x and z, 4.7 in y");
  described_network made{.network = std::make_unique<topology::torus>(std::move(shape), most),
                         .node_names = {},
                         .warnings = notes.texts()};
  for (const auto& here : names_at) {
    made.node_names.insert(made.node_names.end(), here.begin(), here.begin() + most);
  }
  return made;
}

described_network network_of(const source_text& file, const std::vector<located_node>& nodes) {
  if (nodes.empty()) file.fail("the file contains no node", "check that the file is complete");
  return is_of_xc(nodes) ? dragonfly_of(file, nodes) : torus_of(file, nodes);
}

std::uint32_t coordinate_in(const source_text& file, std::size_t line, std::string_view text) {
  const auto number = as_number(text);
  if (!number || *number >= most_coordinate) {
    file.fail(line, in_quotes(text) + " is not a coordinate", "write a number below 65536");
  }
  return *number;
}

constexpr std::string_view write_again = "write the file again, with xtdb2proc -f FILE";

class processor_record {
 public:
  processor_record(const source_text& file, const text_line& line) : file_(file), line_(line) {
    std::string_view rest = line.text;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find(','), rest.size());
      const std::string_view field = without_blanks_around(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
      const std::size_t sign = field.find('=');
      if (sign == std::string_view::npos) {
        file.fail(line.number, "the field " + in_quotes(field) + " has no value", write_again);
      }
      fields_.emplace_back(field.substr(0, sign), field.substr(sign + 1));
    }
  }

  [[nodiscard]] std::size_t size() const noexcept { return fields_.size(); }

  [[nodiscard]] std::uint32_t number(std::string_view key) const {
    const auto field =
        std::ranges::find(fields_, key, &std::pair<std::string_view, std::string_view>::first);
    if (field == fields_.end()) {
      file_.fail(line_.number, "the record has no field " + in_quotes(key), write_again);
    }
    const auto value = as_number(field->second);
    if (!value) {
      file_.fail(line_.number,
                 in_quotes(key) + " has the value " + in_quotes(field->second) + ", not a number",
                 write_again);
    }
    return *value;
  }

 private:
  const source_text& file_;
  const text_line& line_;
  std::vector<std::pair<std::string_view, std::string_view>> fields_;
};

/// Indices of the words NID, X, Y, Z in a heading; empty if one is missing.
std::optional<std::array<std::size_t, 4>> columns_of(const std::vector<std::string_view>& words) {
  std::array<std::size_t, 4> columns{};
  constexpr std::array<std::string_view, 4> titles{"NID", "X", "Y", "Z"};
  for (std::size_t i = 0; i < titles.size(); ++i) {
    const auto at = std::ranges::find_if(
        words, [&](std::string_view word) { return same_word(word, titles[i]); });
    if (at == words.end()) return std::nullopt;
    columns[i] = static_cast<std::size_t>(at - words.begin());
  }
  return columns;
}

std::vector<std::string_view> words_of_row(std::string_view line) { return words_of(line, ",;|"); }

std::array<std::size_t, 4> usual_columns(std::size_t words) {
  return {0, words - 3, words - 2, words - 1};
}

}  // namespace

bool is_processor_record(std::string_view line) {
  return line.starts_with("cpu=") || line.find("x_coord=") != std::string_view::npos;
}

bool is_coordinate_line(std::string_view line) {
  const std::vector<std::string_view> words = words_of_row(line);
  if (columns_of(words)) return true;
  const std::size_t names = words.size() - std::min(words.size(), dimensions);
  const bool is_node = std::any_of(
      words.begin(), words.begin() + static_cast<long>(names),
      [](std::string_view word) { return word.starts_with("nid") || as_cray_place(word); });
  return is_node && std::all_of(words.begin() + static_cast<long>(names), words.end(),
                                [](std::string_view word) { return as_number(word).has_value(); });
}

described_network read_processor_table(const source_text& file) {
  std::vector<located_node> nodes;
  std::size_t fields = 0;
  for (const text_line& line : file.lines()) {
    const processor_record record(file, line);
    if (nodes.empty()) fields = record.size();
    if (record.size() != fields) {
      file.fail(line.number,
                "the record has " + std::to_string(record.size()) + " fields, the first one " +
                    std::to_string(fields),
                write_again);
    }
    coordinates at{};
    constexpr std::array<std::string_view, dimensions> keys{"x_coord", "y_coord", "z_coord"};
    for (std::size_t d = 0; d < dimensions; ++d) {
      at[d] = coordinate_in(file, line.number, std::to_string(record.number(keys[d])));
    }
    nodes.push_back({.name = nid(record.number("processor_id")),
                     .line = line.number,
                     .place = cray_place{.column = record.number("cab_position"),
                                         .row = record.number("cab_row"),
                                         .chassis = record.number("cage"),
                                         .slot = record.number("slot"),
                                         .node = record.number("cpu")},
                     .at = at});
  }
  return network_of(file, nodes);
}

described_network read_coordinate_table(const source_text& file) {
  std::vector<located_node> nodes;
  std::optional<std::array<std::size_t, 4>> heading;
  for (const text_line& line : file.lines()) {
    const std::vector<std::string_view> words = words_of_row(line.text);
    if (words.empty()) continue;
    if (const auto titles = columns_of(words)) {
      heading = titles;
      continue;
    }
    const std::size_t least = heading ? std::ranges::max(*heading) + 1 : dimensions + 1;
    if (words.size() < least) {
      file.fail(line.number, "the coordinates of the node are missing in " + in_quotes(line.text),
                "write a line of the form: nid00012 c0-0c0s3n0 0 1 5");
    }
    const auto columns = heading ? *heading : usual_columns(words.size());
    located_node node{.line = line.number};
    for (std::size_t d = 0; d < dimensions; ++d) {
      node.at[d] = coordinate_in(file, line.number, words[columns[d + 1]]);
    }
    const std::string_view name = words[columns[0]];
    const auto number = as_number(name);
    node.name = number ? nid(*number) : std::string(name.substr(0, longest_name));
    for (const std::string_view word : words) {
      if (const auto place = as_cray_place(word)) node.place = place;
    }
    nodes.push_back(std::move(node));
  }
  return network_of(file, nodes);
}

}  // namespace acre::machines
