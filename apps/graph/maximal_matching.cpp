// SPDX-License-Identifier: BSD-3-Clause
#include <apps/graph/maximal_matching.hpp>

#include <acre/global/team/team.hpp>

#include <apps/graph/first_problem.hpp>
#include <apps/graph/neighbour_values.hpp>
#include <fmt/format.h>

#include <cstddef>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace acre::graph {

maximal_matching::maximal_matching(const csr_graph& graph, std::uint64_t seed)
    : partners_(graph.members(), graph.cut(), single) {
  const team& members = graph.members();
  const std::size_t first = partners_.local_offset();
  dense_vector<column_t> choices(members, graph.cut(), single);
  std::vector<std::size_t> rows(partners_.local().size());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  for (;; ++rounds_) {
    const neighbour_values<column_t> others(graph, partners_);
    std::vector<std::size_t> remaining;
    std::vector<column_t> chosen;
    for (const std::size_t row : rows) {
      column_t& choice = choices.local()[row] = single;
      if (partners_.local()[row] != single) continue;
      std::uint64_t least = 0;
      others.each(row, [&](column_t neighbour, column_t partner) {
        const std::uint64_t priority = edge_priority(seed, first + row, neighbour);
        if (partner != single || (choice != single && priority > least)) return;
        choice = neighbour;
        least = priority;
      });
      if (choice == single) continue;
      remaining.push_back(row);
      chosen.push_back(choice);
    }
    rows = std::move(remaining);
    if (members.allreduce(rows.size()) == 0) break;
    const std::vector<column_t> theirs = choices.gather(std::span<const column_t>(chosen));
    members.barrier();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (theirs[i] == first + rows[i]) partners_.local()[rows[i]] = chosen[i];
    }
  }
}

std::string problem_of_matching(const csr_graph& graph, const dense_vector<column_t>& partners) {
  constexpr column_t single = maximal_matching::single;
  const neighbour_values<column_t> others(graph, partners);
  std::string problem;
  for (std::size_t row = 0; row < partners.local().size() && problem.empty(); ++row) {
    const std::uint64_t vertex = partners.local_offset() + row;
    const column_t mine = partners.local()[row];
    bool is_joined = mine == single;
    others.each(row, [&](column_t neighbour, column_t theirs) {
      is_joined = is_joined || (neighbour == mine && theirs == vertex);
      if (mine != single || theirs != single) return;
      problem = fmt::format("vertices {} and {} are joined, and both unmatched", vertex, neighbour);
    });
    if (!is_joined) problem = fmt::format("vertex {} has the wrong partner {}", vertex, mine);
  }
  return first_problem(graph.members(), problem);
}

}  // namespace acre::graph
