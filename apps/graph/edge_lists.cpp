// SPDX-License-Identifier: BSD-3-Clause
#include <apps/graph/edge_lists.hpp>

#include <acre/base/bits.hpp>
#include <acre/global/team/reduction.hpp>
#include <acre/global/team/team_file.hpp>
#include <acre/layout/cut.hpp>

#include <algorithm>
#include <span>
#include <vector>

namespace acre::graph {

row_cut whole_words(std::size_t rows, rank_t members) {
  const std::size_t each =
      round_up(divide_up(std::max<std::size_t>(rows, 1), std::size_t{members}), std::size_t{64});
  return row_cut(layout::places_of(layout::tiled_cut(rows, each), members));
}

graph_builder::graph_builder(const team& members, std::size_t vertices, direction entries)
    : triples_(members, whole_words(vertices, members.size()), vertices), entries_(entries) {}

void graph_builder::add(const edge& each) {
  if (each.from == each.to) return;
  triples_.add(each.from, each.to);
  if (entries_ == direction::both) triples_.add(each.to, each.from);
}

csr_graph graph_builder::finish() {
  return triples_.finish([](present one, present) { return one; });
}

csr_graph graph_of(const team& members, std::size_t vertices, const edge_walk& edges,
                   direction entries) {
  graph_builder all(members, vertices, entries);
  edges([&](const edge& each) { all.add(each); });
  return all.finish();
}

csr_graph graph_of(const team& members, const kronecker& edges) {
  return graph_of(members, edges.vertices(), edges_of(members, edges));
}

edge_walk edges_of(const team& members, const generator& edges) {
  return [edges, member = members.rank(), all = members.size()](const edge_sink& f) {
    edges.part(member, all, f);
  };
}

edge_walk edges_of(const team& members, const kronecker& edges) {
  return edges_of(members, generator_of(edges));
}

edge_walk edges_of(const csr_graph& graph) {
  return [rows = graph.local()](const auto& f) {
    for (std::size_t row = 0; row < rows.count; ++row) {
      const std::uint64_t vertex = rows.first + row;
      for (const column_t to : rows.columns_of(row)) {
        if (vertex < to) f({vertex, to});
      }
    }
  };
}

void store_edges(const team& members, const edge_walk& edges, const std::string& path) {
  auto file = global::team_file::create(members, path, "acre-graph", site::current());
  file.share();
  std::uint64_t count = 0;
  edges([&](const edge&) { ++count; });
  std::uint64_t at = members.exclusive_scan(count, std::uint64_t{0}) * sizeof(edge);
  std::vector<edge> some;
  const auto write = [&] {
    file.write(at, std::as_bytes(std::span(some)));
    at += some.size() * sizeof(edge);
    some.clear();
  };
  edges([&](const edge& each) {
    some.push_back(each);
    if (some.size() == std::size_t{1} << 16) write();
  });
  write();
  file.finish();
}

std::uint64_t degree_of(const csr_graph& graph, std::uint64_t vertex) {
  const rank_t owner = graph.cut().owner(vertex);
  const auto place =
      graph.offsets_of(owner) + static_cast<std::ptrdiff_t>(vertex - graph.cut().first_of(owner));
  std::uint64_t ends[2];
  get(place, std::span(ends));
  return ends[1] - ends[0];
}

}  // namespace acre::graph
