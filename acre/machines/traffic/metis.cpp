// SPDX-License-Identifier: BSD-3-Clause
#include <acre/machines/traffic/metis.hpp>

#include <acre/machines/traffic/line_reader.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace acre::machines {
namespace {

struct header {
  std::uint64_t vertices;
  std::uint64_t edges;
  std::uint64_t passed_over;
  bool weighted;
};

header read_header(line_reader& lines) {
  if (!lines.next_filled()) lines.fail("the file has no first line");
  header found{};
  found.vertices = lines.count("the number of vertices");
  found.edges = lines.count("the number of edges");
  const std::string format(lines.word());
  const bool has_weights = !lines.line_ended();
  const std::uint64_t weights = has_weights ? lines.count("the number of vertex weights") : 1;
  lines.expect_line_end();
  if (format.size() > 3 || format.find_first_not_of("01") != std::string::npos) {
    lines.fail("the format '" + format + "' is invalid",
               "write up to three digits, each 0 or 1: 001 is with edge weights");
  }
  const std::string digits = std::string(3 - format.size(), '0') + format;
  if (has_weights && (digits[1] == '0' || weights == 0)) {
    lines.fail("the number of vertex weights is 0, or the format excludes vertex weights");
  }
  if (found.vertices == 0) lines.fail("the graph has no vertex", "write a vertex for each rank");
  if (found.vertices > most_ranks_of_file) {
    lines.fail(std::to_string(found.vertices) + " vertices exceed the limit",
               "use at most " + std::to_string(most_ranks_of_file));
  }
  const std::size_t room = lines.bytes_left() + 1;
  // Least text: a line per vertex, each edge twice in 2 characters.
  if (found.vertices > room || found.edges > room / 4 || weights > room) {
    lines.fail("the file ends before its " + std::to_string(found.vertices) + " vertices and " +
                   std::to_string(found.edges) + " edges",
               "the file is truncated, or its first line is wrong");
  }
  found.passed_over = (digits[0] == '1' ? 1 : 0) + (digits[1] == '1' ? weights : 0);
  found.weighted = digits[2] == '1';
  return found;
}

}  // namespace

mapping::communication read_metis(std::string_view text, std::string_view name) {
  line_reader lines(text, name, "machines::read_metis",
                    "begin the graph of METIS with 'vertices edges format', then write a line for "
                    "each vertex with its neighbours, each followed by its weight");
  const header graph = read_header(lines);
  const auto ranks = static_cast<mapping::rank_t>(graph.vertices);
  const std::string edges = std::to_string(graph.edges);
  std::vector<mapping::traffic::message> messages;
  messages.reserve(2 * graph.edges);
  for (mapping::rank_t from = 0; from < ranks; ++from) {
    if (!lines.next_said()) {
      lines.fail("the file ends after " + std::to_string(from) + " of " + std::to_string(ranks) +
                     " vertices",
                 "the file is truncated, or its first line is wrong");
    }
    for (std::uint64_t i = 0; i < graph.passed_over; ++i) lines.weight();
    while (!lines.line_ended()) {
      const auto to = static_cast<mapping::rank_t>(lines.index("the neighbour", ranks) - 1);
      const double bytes = graph.weighted ? lines.weight() : 1;
      if (messages.size() == 2 * graph.edges) {
        lines.fail("the file has more edges than the " + edges + " of the first line",
                   "correct the first line; write each edge at both ends and count it once");
      }
      messages.push_back({from, to, bytes});
    }
  }
  if (lines.next_filled()) {
    lines.fail("the file has more lines than the " + std::to_string(ranks) + " vertices",
               "correct the first line");
  }
  if (messages.size() != 2 * graph.edges) {
    lines.fail("the first line gives " + edges + " edges and thus twice as many neighbours, " +
                   "but the file has " + std::to_string(messages.size()),
               "correct the first line; write each edge at both ends and count it once");
  }
  mapping::communication made = mapping::without_grid(std::string(name), {ranks, messages});
  for (mapping::rank_t from = 0; from < ranks; ++from) {
    for (const auto& [to, bytes] : made.traffic.from(from)) {
      const auto back = made.traffic.from(to);
      const auto same = std::ranges::lower_bound(back, from, {}, &mapping::traffic::flow::to);
      if (same != back.end() && same->to == from && same->bytes == bytes) continue;
      const std::string ends = std::to_string(from + 1) + " to " + std::to_string(to + 1);
      lines.fail("the edge from " + ends + " differs at its other end",
                 "write each edge at both ends, with the same weight");
    }
  }
  return made;
}

}  // namespace acre::machines
