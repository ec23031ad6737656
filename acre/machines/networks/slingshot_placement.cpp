// SPDX-License-Identifier: BSD-3-Clause
#include <acre/machines/networks/slingshot_placement.hpp>

#include <acre/machines/networks/name_numbers.hpp>
#include <acre/machines/networks/place_text.hpp>
#include <acre/machines/networks/remarks.hpp>
#include <acre/topology/dragonfly.hpp>

#include <algorithm>
#include <map>

namespace acre::machines {
namespace {

constexpr double node_link = 25 * topology::gigabyte;
constexpr double chassis_link = 16 * node_link;
constexpr double cabinet_link = 4 * node_link;

/// True for positions of parts that are not nodes: "x1000c3r1b0".
bool is_part(std::string_view word) {
  return word.size() > 1 && word.front() == 'x' && as_number(word.substr(1, 1)) &&
         word.find('c') != std::string_view::npos;
}

class place_table {
 public:
  explicit place_table(const source_text& file)
      : file_(file), remarks_(file), names_(file, "node"), places_(file, "place") {}

  void add(const text_line& line) {
    const std::vector<std::string_view> words = words_of(line.text, ",;|");
    if (words.empty() || is_heading(words)) return;
    const auto at = std::ranges::find_if(
        words, [](std::string_view word) { return as_slingshot_place(word).has_value(); });
    if (at == words.end()) return add_other(line, words);
    if (nodes_.empty()) first_ = line.number;
    places_.add(std::string(*at), line.number);
    const std::uint32_t number = names_.add(name_beside(words, *at, 6), line.number);
    const auto [known, added] = nodes_.emplace(*as_slingshot_place(*at), number);
    if (!added) {
      file_.fail(line.number, "duplicate place: another line has the same one",
                 "remove one of the lines");
    }
  }

  described_network result() {
    if (nodes_.empty()) file_.fail("the file contains no node", "check that the file is complete");
    remarks_.add(
        first_, "names of a Cray EX contain the places of nodes, not their cables",
        "a dragonfly is assumed: a group for each cabinet and a router for each chassis, with "
        "25 GB/s to each node, 400 to each chassis and 100 to each cabinet");
    const topology::dragonfly::shape form = smallest_form();
    const std::size_t nodes = std::size_t{form.groups} * form.blades * form.nodes;
    if (nodes > most_nodes)
      file_.fail("the machine has more than 2^20 nodes", "check that it is the right file");
    described_network made{.network = std::make_unique<topology::dragonfly>(form),
                           .node_names = std::vector<std::string>(nodes),
                           .warnings = remarks_.texts()};
    for_each_node(
        [&](std::size_t cabinet, std::size_t chassis, std::size_t node, std::uint32_t of) {
          made.node_names[(cabinet * form.blades + chassis) * form.nodes + node] = names_.name(of);
        });
    return made;
  }

 private:
  static bool is_heading(const std::vector<std::string_view>& words) {
    return same_word(words.front(), "xname") || same_word(words.front(), "nid") ||
           words.front().starts_with("+-");
  }

  void add_other(const text_line& line, const std::vector<std::string_view>& words) {
    const auto part = std::ranges::find_if(words, is_part);
    if (part == words.end()) {
      file_.fail(line.number, "no place of the form x1000c3s7b1n0 found in " + in_quotes(line.text),
                 "write a line of the form: nid001000 x1000c3s7b1n0");
    }
    remarks_.add(line.number, in_quotes(*part) + " is not the place of a node", "it is ignored");
  }

  /// Calls work(cabinet, chassis, node, name number) by position; indices count from 0 within their
  /// parent.
  template <class Work>
  void for_each_node(Work&& work) const {
    std::size_t cabinet = 0;
    std::size_t chassis = 0;
    std::size_t node = 0;
    const slingshot_place* last = nullptr;
    for (const auto& [place, number] : nodes_) {
      if (last != nullptr && place.cabinet != last->cabinet) {
        ++cabinet;
        chassis = node = 0;
      } else if (last != nullptr && place.chassis != last->chassis) {
        ++chassis;
        node = 0;
      }
      work(cabinet, chassis, node++, number);
      last = &place;
    }
  }

  [[nodiscard]] topology::dragonfly::shape smallest_form() const {
    topology::dragonfly::shape form{.groups = 0,
                                    .chassis = 1,
                                    .blades = 0,
                                    .nodes = 0,
                                    .node_bandwidth = node_link,
                                    .blade_bandwidth = chassis_link,
                                    .chassis_bandwidth = chassis_link,
                                    .group_bandwidth = cabinet_link};
    for_each_node([&](std::size_t cabinet, std::size_t chassis, std::size_t node, std::uint32_t) {
      form.groups = static_cast<std::uint32_t>(cabinet + 1);
      form.blades = std::max(form.blades, static_cast<std::uint32_t>(chassis + 1));
      form.nodes = std::max(form.nodes, static_cast<std::uint32_t>(node + 1));
    });
    return form;
  }

  const source_text& file_;
  remarks remarks_;
  name_numbers names_;
  name_numbers places_;
  std::map<slingshot_place, std::uint32_t> nodes_;
  std::size_t first_ = 0;
};

}  // namespace

std::optional<slingshot_place> as_slingshot_place(std::string_view text) {
  return place_of<slingshot_place>(text, {'x', 'c', 's', 'b', 'n'});
}

described_network read_slingshot_table(const source_text& file) {
  place_table table(file);
  for (const text_line& line : file.lines()) table.add(line);
  return table.result();
}

}  // namespace acre::machines
