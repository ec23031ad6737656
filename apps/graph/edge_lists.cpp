// SPDX-License-Identifier: BSD-3-Clause
#include <apps/graph/edge_lists.hpp>

#include <acre/base/bits.hpp>
#include <acre/global/team/team_file.hpp>
#include <acre/layout/cut.hpp>

#include <algorithm>
#include <functional>
#include <span>
#include <vector>

namespace acre::graph {

share share_of(const team& members, std::uint64_t all) {
  const layout::balanced_cut cut(all, members.size());
  const std::uint64_t first = cut.first(members.rank());
  return {first, cut.first(std::uint64_t{members.rank()} + 1) - first};
}

row_cut whole_words(std::size_t rows, rank_t members) {
  const std::size_t each =
      round_up(divide_up(std::max<std::size_t>(rows, 1), std::size_t{members}), std::size_t{64});
  return row_cut(layout::places_of(layout::tiled_cut(rows, each), members));
}

undirected_edges::undirected_edges(const team& members, std::size_t vertices)
    : triples_(members, whole_words(vertices, members.size()), vertices) {}

void undirected_edges::add(const edge& each) {
  if (each.from == each.to) return;
  triples_.add(each.from, each.to);
  triples_.add(each.to, each.from);
}

csr_graph undirected_edges::finish() {
  return triples_.finish([](present one, present) { return one; });
}

csr_graph graph_of(const team& members, const kronecker& edges) {
  undirected_edges all(members, edges.vertices());
  const share mine = share_of(members, edges.edges());
  for (std::uint64_t i = 0; i < mine.count; ++i) all.add(edges[mine.first + i]);
  return all.finish();
}

edge_walk edges_of(const team& members, const kronecker& edges) {
  return [edges, mine = share_of(members, edges.edges())](const auto& f) {
    for (std::uint64_t i = 0; i < mine.count; ++i) f(edges[mine.first + i]);
  };
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

void store_edges(const team& members, const kronecker& edges, const std::string& path) {
  auto file = global::team_file::create(members, path, "acre-graph", site::current());
  file.share();
  const share mine = share_of(members, edges.edges());
  std::vector<edge> some;
  for (std::uint64_t i = 0; i < mine.count; i += some.size()) {
    some.resize(std::min<std::uint64_t>(mine.count - i, 1U << 16));
    for (std::uint64_t k = 0; k < some.size(); ++k) some[k] = edges[mine.first + i + k];
    file.write((mine.first + i) * sizeof(edge), std::as_bytes(std::span(some)));
  }
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
