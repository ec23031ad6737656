// SPDX-License-Identifier: BSD-3-Clause
#include <apps/graph/label_propagation.hpp>

#include <acre/global/memory/atomic.hpp>
#include <acre/global/team/team.hpp>

#include <apps/graph/first_problem.hpp>
#include <apps/graph/neighbour_values.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <unordered_map>
#include <utility>
#include <vector>

namespace acre::graph {
namespace {

/// The first of equally frequent values of a sorted, non-empty list.
column_t most_frequent(const std::vector<column_t>& sorted) {
  column_t best = sorted.front();
  std::size_t most = 0;
  for (std::size_t begin = 0; begin < sorted.size();) {
    std::size_t end = begin + 1;
    while (end < sorted.size() && sorted[end] == sorted[begin]) ++end;
    if (end - begin > most) {
      most = end - begin;
      best = sorted[begin];
    }
    begin = end;
  }
  return best;
}

}  // namespace

label_propagation::label_propagation(const csr_graph& graph)
    : graph_(graph), labels_(graph.members(), graph.cut()), other_(graph.members(), graph.cut()) {
  for (std::size_t row = 0; row < labels_.local().size(); ++row) {
    labels_.local()[row] = static_cast<column_t>(labels_.local_offset() + row);
  }
}

bool label_propagation::step() {
  const neighbour_values<column_t> others(graph_, labels_);
  bool has_changed = false;
  std::vector<column_t> seen;
  for (std::size_t row = 0; row < labels_.local().size(); ++row) {
    seen.clear();
    others.each(row, [&](column_t, column_t label) { seen.push_back(label); });
    std::ranges::sort(seen);
    const column_t before = labels_.local()[row];
    const column_t now = seen.empty() ? before : most_frequent(seen);
    other_.local()[row] = now;
    has_changed = has_changed || now != before;
  }
  std::swap(labels_, other_);
  return graph_.members().allreduce(has_changed, op::logical_or);
}

std::uint64_t count_labels(const dense_vector<column_t>& labels) {
  const team& members = labels.members();
  dense_vector<std::uint32_t> used(members, labels.cut(), 0);
  std::vector<column_t> mine(labels.local().begin(), labels.local().end());
  std::ranges::sort(mine);
  mine.erase(std::unique(mine.begin(), mine.end()), mine.end());
  for (const column_t label : mine) atomic_max_nbi(used.pointer(label), 1U);
  members.barrier();
  const auto own = used.local();
  return members.allreduce(static_cast<std::uint64_t>(std::count(own.begin(), own.end(), 1U)));
}

std::string problem_of_labels(const csr_graph& graph, const dense_vector<column_t>& before,
                              const dense_vector<column_t>& after) {
  const neighbour_values<column_t> others(graph, before);
  std::string problem;
  for (std::size_t row = 0; row < after.local().size() && problem.empty(); ++row) {
    std::unordered_map<column_t, std::size_t> counts;
    others.each(row, [&](column_t, column_t label) { ++counts[label]; });
    const column_t mine = after.local()[row];
    if (counts.empty()) counts[before.local()[row]] = 1;
    const std::size_t most = counts[mine];
    for (const auto& [label, count] : counts) {
      if (count > most || (count == most && label < mine)) {
        problem = fmt::format("vertex {} has label {}, of {} neighbours, and not {}, of {}",
                              after.local_offset() + row, mine, most, label, count);
      }
    }
  }
  return first_problem(graph.members(), problem);
}

}  // namespace acre::graph
