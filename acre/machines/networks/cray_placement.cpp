// SPDX-License-Identifier: BSD-3-Clause
#include <acre/machines/networks/cray_placement.hpp>

#include <acre/machines/networks/place_text.hpp>

#include <algorithm>
#include <memory>
#include <utility>

namespace acre::machines {
namespace {

constexpr std::uint32_t chassis_of_cabinet = 3;
constexpr std::uint32_t slots_of_chassis = 16;
constexpr std::uint32_t nodes_of_blade = 4;
constexpr std::uint32_t most_cabinets = 1000;

constexpr double blade_link = 5.25 * topology::gigabyte;
constexpr double group_link = 4 * 4.7 * topology::gigabyte;

}  // namespace

std::optional<cray_place> as_cray_place(std::string_view text) {
  return place_of<cray_place>(text, {'c', '-', 'c', 's', 'n'});
}

cray_cabinets::cray_cabinets(const source_text& file)
    : file_(&file),
      names_(file, "node"),
      places_(file, "place"),
      form_{.node_bandwidth = topology::usual_bandwidth,
            .blade_bandwidth = blade_link,
            .chassis_bandwidth = 3 * blade_link,
            .group_bandwidth = group_link} {}

cray_cabinets::seat cray_cabinets::seat_of(const cray_place& place) {
  return {.group = {place.row, place.column / 2},
          .chassis = place.column % 2 * chassis_of_cabinet + place.chassis,
          .slot = place.slot,
          .node = place.node};
}

void cray_cabinets::add(std::size_t line, const cray_place& place, const std::string& place_name,
                        const std::string& node_name) {
  if (place.column >= most_cabinets || place.row >= most_cabinets ||
      place.chassis >= chassis_of_cabinet || place.slot >= slots_of_chassis ||
      place.node >= nodes_of_blade) {
    file_->fail(line, in_quotes(place_name) + " is not a valid place of a Cray XC",
                "use at most 3 chassis a cabinet, 16 slots a chassis and 4 nodes a blade");
  }
  places_.add(place_name, line);
  names_.add(node_name, line);
  seats_.push_back(seat_of(place));
  groups_.emplace(seats_.back().group, 0);
  form_.chassis = std::max(form_.chassis, seats_.back().chassis + 1);
  form_.blades = std::max(form_.blades, place.slot + 1);
  form_.nodes = std::max(form_.nodes, place.node + 1);
}

described_network cray_cabinets::result() {
  if (seats_.empty()) file_->fail("the file contains no node", "check that the file is complete");
  form_.groups = 0;
  for (auto& [group, number] : groups_) number = form_.groups++;
  const std::size_t nodes = std::size_t{form_.groups} * form_.chassis * form_.blades * form_.nodes;
  if (nodes > most_nodes)
    file_->fail("the machine has more than 2^20 nodes", "check that it is the right file");

  described_network made{.network = std::make_unique<topology::dragonfly>(form_),
                         .node_names = std::vector<std::string>(nodes)};
  for (std::uint32_t i = 0; i < seats_.size(); ++i) {
    const seat& each = seats_[i];
    const std::uint32_t blade =
        (groups_.at(each.group) * form_.chassis + each.chassis) * form_.blades + each.slot;
    std::string& name = made.node_names[blade * form_.nodes + each.node];
    if (!name.empty()) {
      file_->fail(names_.line(i), "duplicate place: another line has the same one",
                  "remove one of the lines");
    }
    name = names_.name(i);
  }
  return made;
}

described_network read_cray_table(const source_text& file) {
  cray_cabinets cabinets(file);
  for (const text_line& line : file.lines()) {
    const std::vector<std::string_view> words = words_of(line.text, ",;|");
    if (words.empty() || same_word(words.front(), "NID")) continue;
    const auto at = std::ranges::find_if(
        words, [](std::string_view word) { return as_cray_place(word).has_value(); });
    if (at == words.end()) {
      file.fail(line.number, "no place of the form c11-2c0s15n3 found in " + in_quotes(line.text),
                "write a line of the form: nid00012 c0-0c0s3n0");
    }
    cabinets.add(line.number, *as_cray_place(*at), std::string(*at), name_beside(words, *at, 5));
  }
  return cabinets.result();
}

}  // namespace acre::machines
