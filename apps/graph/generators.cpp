// SPDX-License-Identifier: BSD-3-Clause
#include <apps/graph/generators.hpp>

#include <acre/base/error.hpp>
#include <acre/base/specification.hpp>

#include <apps/graph/random_geometric.hpp>
#include <apps/graph/random_pairs.hpp>
#include <apps/graph/rmat.hpp>

#include <string_view>

namespace acre::graph {
namespace {

constexpr const char* kinds =
    "use rmat:SCALE,EDGES, geometric:VERTICES,RADIUS or gnm:VERTICES,EDGES";

template <class List>
generator by_number(const List& list) {
  return {list.vertices(), static_cast<double>(list.edges()),
          [list](std::uint32_t member, std::uint32_t members, const edge_sink& f) {
            const share mine = share_of(list.edges(), member, members);
            for (std::uint64_t i = 0; i < mine.count; ++i) f(list[mine.first + i]);
          }};
}

template <class Graph>
generator by_range(const Graph& graph, std::uint64_t all, double edges) {
  return {graph.vertices(), edges,
          [graph, all](std::uint32_t member, std::uint32_t members, const edge_sink& f) {
            graph.walk(share_of(all, member, members), f);
          }};
}

std::uint32_t least_number(specification_reader& text, std::uint32_t least) {
  const std::uint32_t number = text.number();
  if (number < least) {
    throw error("acre-graph", "--generate: " + std::to_string(number) + " is too small", kinds);
  }
  return number;
}

}  // namespace

generator generator_of(const kronecker& list) { return by_number(list); }

generator generator_of(const std::string& specification, std::uint64_t seed, direction entries) {
  specification_reader text(specification, "acre-graph", kinds);
  const std::string_view kind = text.kind();
  if (kind != "rmat" && kind != "geometric" && kind != "gnm") text.fail_kind("random graph");
  text.expect(':', "numbers");
  const std::uint32_t size = least_number(text, 1);
  text.expect(',', "a number");
  if (kind == "geometric") {
    const double radius = text.positive("a positive radius");
    text.expect_end();
    const random_geometric graph(size, radius, seed);
    return by_range(graph, graph.vertices(), graph.expected_edges());
  }
  const std::uint64_t edges = text.number();
  text.expect_end();
  if (kind == "gnm") return by_number(random_pairs(size, edges, seed, entries));
  if (size > 31) throw error("acre-graph", "--generate: the scale exceeds 31", kinds);
  const rmat graph(size, edges, seed, entries);
  return by_range(graph, graph.edges(), static_cast<double>(graph.edges()));
}

}  // namespace acre::graph
