// SPDX-License-Identifier: BSD-3-Clause
#include <acre/machines/networks/cray_placement.hpp>

#include <acre/machines/networks/name_numbers.hpp>
#include <acre/machines/networks/place_text.hpp>
#include <acre/topology/dragonfly.hpp>

#include <algorithm>
#include <array>
#include <map>

namespace acre::machines {
namespace {

constexpr std::uint32_t chassis_of_cabinet = 3;
constexpr std::uint32_t slots_of_chassis = 16;
constexpr std::uint32_t nodes_of_blade = 4;
constexpr std::uint32_t most_cabinets = 1000;

constexpr double blade_link = 5.25 * topology::gigabyte;
constexpr double group_link = 4 * 4.7 * topology::gigabyte;

struct seat {
  std::array<std::uint32_t, 2> group;
  std::uint32_t chassis;
  std::uint32_t slot;
  std::uint32_t node;
};

seat seat_of(const cray_place& place) {
  return {.group = {place.row, place.column / 2},
          .chassis = place.column % 2 * chassis_of_cabinet + place.chassis,
          .slot = place.slot,
          .node = place.node};
}

}  // namespace

std::optional<cray_place> as_cray_place(std::string_view text) {
  return place_of<cray_place>(text, {'c', '-', 'c', 's', 'n'});
}

described_network read_cray_table(const source_text& file) {
  name_numbers names(file, "node");
  name_numbers places(file, "place");
  std::vector<seat> seats;
  std::map<std::array<std::uint32_t, 2>, std::uint32_t> groups;
  topology::dragonfly::shape form{.node_bandwidth = topology::usual_bandwidth,
                                  .blade_bandwidth = blade_link,
                                  .chassis_bandwidth = 3 * blade_link,
                                  .group_bandwidth = group_link};
  for (const text_line& line : file.lines()) {
    const std::vector<std::string_view> words = words_of(line.text, ",;|");
    if (words.empty() || same_word(words.front(), "NID")) continue;
    const auto at = std::ranges::find_if(
        words, [](std::string_view word) { return as_cray_place(word).has_value(); });
    if (at == words.end()) {
      file.fail(line.number, "no place of the form c11-2c0s15n3 found in " + in_quotes(line.text),
                "write a line of the form: nid00012 c0-0c0s3n0");
    }
    const cray_place place = *as_cray_place(*at);
    if (place.column >= most_cabinets || place.row >= most_cabinets ||
        place.chassis >= chassis_of_cabinet || place.slot >= slots_of_chassis ||
        place.node >= nodes_of_blade) {
      file.fail(line.number, in_quotes(*at) + " is not a valid place of a Cray XC",
                "use at most 3 chassis a cabinet, 16 slots a chassis and 4 nodes a blade");
    }
    places.add(std::string(*at), line.number);
    names.add(name_beside(words, *at, 5), line.number);
    seats.push_back(seat_of(place));
    groups.emplace(seats.back().group, 0);
    form.chassis = std::max(form.chassis, seats.back().chassis + 1);
    form.blades = std::max(form.blades, place.slot + 1);
    form.nodes = std::max(form.nodes, place.node + 1);
  }
  if (seats.empty()) file.fail("the file contains no node", "check that the file is complete");
  form.groups = 0;
  for (auto& [group, number] : groups) number = form.groups++;
  const std::size_t nodes = std::size_t{form.groups} * form.chassis * form.blades * form.nodes;
  if (nodes > most_nodes)
    file.fail("the machine has more than 2^20 nodes", "check that it is the right file");

  described_network made{.network = std::make_unique<topology::dragonfly>(form),
                         .node_names = std::vector<std::string>(nodes)};
  for (std::uint32_t i = 0; i < seats.size(); ++i) {
    const seat& each = seats[i];
    const std::uint32_t blade =
        (groups.at(each.group) * form.chassis + each.chassis) * form.blades + each.slot;
    std::string& name = made.node_names[blade * form.nodes + each.node];
    if (!name.empty()) {
      file.fail(names.line(i), "duplicate place: another line has the same one",
                "remove one of the lines");
    }
    name = names.name(i);
  }
  return made;
}

}  // namespace acre::machines
