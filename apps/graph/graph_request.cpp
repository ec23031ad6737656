// SPDX-License-Identifier: BSD-3-Clause
#include <apps/graph/graph_request.hpp>

#include <acre/base/error.hpp>
#include <acre/csr/csr_builder.hpp>
#include <acre/matrix_files/matrix_market/matrix_market.hpp>

#include <apps/program/memory.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace acre::graph {
namespace {

csr_graph loaded(const team& members, const std::string& path, direction directions) {
  const csr_graph entries = load_matrix_market<present>(members, path);
  if (entries.rows() != entries.columns()) {
    throw error("acre-graph",
                fmt::format("{}: a matrix of {} x {} is not a graph", path, entries.rows(),
                            entries.columns()),
                "use a square matrix with a row and a column for each vertex");
  }
  graph_builder edges(members, entries.rows(), directions);
  const csr_rows<present> mine = entries.local();
  for (std::size_t row = 0; row < mine.count; ++row) {
    for (const column_t column : mine.columns_of(row)) edges.add({mine.first + row, column});
  }
  return edges.finish();
}

}  // namespace

csr_graph graph_of(const team& members, const graph_request& wanted) {
  if (!wanted.from.empty()) return loaded(members, wanted.from, wanted.entries());
  const generator list = wanted.list();
  // Edges are stored in both directions, and twice during sorting.
  const double least = 2 * 2 * sizeof(column_t);
  program::require_memory("acre-graph", least * list.edges, "choose a smaller graph");
  return graph_of(members, list.vertices, edges_of(members, list), wanted.entries());
}

edge_walk edges_of(const graph_request& wanted, const csr_graph& made) {
  return wanted.from.empty() ? edges_of(made.members(), wanted.list()) : edges_of(made);
}

std::string name_of(const graph_request& wanted) {
  const auto quoted = [](const std::string& text) {
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  };
  const std::string directed = wanted.is_directed ? ", \"directed\": true" : "";
  if (!wanted.from.empty()) return "\"from\": " + quoted(wanted.from) + directed;
  if (!wanted.generate.empty()) return "\"generate\": " + quoted(wanted.generate) + directed;
  return fmt::format("\"scale\": {}", wanted.scale) + directed;
}

}  // namespace acre::graph
