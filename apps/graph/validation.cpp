// SPDX-License-Identifier: BSD-3-Clause
#include <apps/graph/validation.hpp>

#include <acre/global/memory/put_get.hpp>
#include <acre/global/team/team.hpp>

#include <apps/graph/breadth_first.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <memory>
#include <span>
#include <vector>

namespace acre::graph {
namespace {

constexpr std::uint32_t no_level = std::numeric_limits<std::uint32_t>::max();

/// All elements on every member; affordable in a test.
template <class T>
std::vector<T> everybodys(const dense_vector<T>& vector) {
  std::vector<T> all(vector.size());
  for (rank_t member = 0; member < vector.cut().members(); ++member) {
    const std::size_t first = vector.cut().first_of(member);
    const std::size_t count = vector.cut().count_of(member);
    if (count != 0) get(vector.pointer(first), std::span(all).subspan(first, count));
  }
  vector.members().barrier();
  return all;
}

std::vector<std::uint32_t> levels_by(const std::vector<column_t>& parents, std::uint64_t root) {
  std::vector<std::uint32_t> levels(parents.size(), no_level);
  levels[root] = 0;
  std::vector<column_t> way;
  for (std::size_t vertex = 0; vertex < parents.size(); ++vertex) {
    way.clear();
    column_t at = static_cast<column_t>(vertex);
    // A longer path is a cycle.
    while (levels[at] == no_level && parents[at] != breadth_first::none &&
           way.size() <= parents.size()) {
      way.push_back(at);
      at = parents[at];
    }
    if (levels[at] == no_level || way.size() > parents.size()) continue;
    std::uint32_t level = levels[at];
    for (auto each = way.rbegin(); each != way.rend(); ++each) levels[*each] = ++level;
  }
  return levels;
}

std::string problem_of_tree(const csr_graph& graph, std::uint64_t root,
                            const std::vector<column_t>& parents,
                            const std::vector<std::uint32_t>& levels) {
  const csr_rows<present> rows = graph.local();
  for (std::size_t row = 0; row < rows.count; ++row) {
    const std::size_t vertex = rows.first + row;
    const column_t parent = parents[vertex];
    if (parent == breadth_first::none) continue;
    const auto at = " at vertex " + std::to_string(vertex);
    if (parent >= graph.rows()) return "a parent is not a vertex" + at;
    if (levels[vertex] == no_level) return "the tree has a cycle" + at;
    if (vertex == root) {
      if (parent != root) return "the root has a parent";
      continue;
    }
    if (levels[parent] + 1 != levels[vertex]) return "an edge of the tree skips a level" + at;
    const auto neighbours = rows.columns_of(row);
    if (!std::ranges::binary_search(neighbours, parent)) {
      return "an edge of the tree is not in the graph" + at;
    }
  }
  return parents[root] == root ? "" : "the root was not reached";
}

std::string problem_of_edges(const edge_walk& list, const std::vector<std::uint32_t>& levels,
                             std::uint64_t& edges) {
  std::string problem;
  list([&](const edge& each) {
    const std::uint32_t one = levels[each.from];
    const std::uint32_t other = levels[each.to];
    if (!problem.empty() || (one == no_level && other == no_level)) return;
    if (one == no_level || other == no_level) {
      problem = "the tree does not span the component at vertex " +
                std::to_string(one == no_level ? each.from : each.to);
    } else if (std::max(one, other) - std::min(one, other) > 1) {
      problem = "an edge skips a level at vertex " + std::to_string(each.from);
    }
    ++edges;
  });
  return problem;
}

}  // namespace

verdict validate(const csr_graph& graph, const edge_walk& list, std::uint64_t root,
                 const dense_vector<column_t>& parents) {
  const team& members = graph.members();
  const std::vector<column_t> all = everybodys(parents);
  std::vector<std::uint32_t> levels;
  std::string problem;
  const bool all_exist = std::ranges::all_of(
      all, [&](column_t parent) { return parent == breadth_first::none || parent < all.size(); });
  verdict result;
  if (!all_exist) {
    problem = "a parent is not a vertex";
  } else {
    levels = levels_by(all, root);
    problem = problem_of_tree(graph, root, all, levels);
    if (problem.empty()) problem = problem_of_edges(list, levels, result.edges);
  }
  for (const std::string& each : members.allgather(problem)) {
    if (result.problem.empty()) result.problem = each;
  }
  result.edges = members.allreduce(result.edges);
  return result;
}

}  // namespace acre::graph
