// SPDX-License-Identifier: BSD-3-Clause
#include <apps/graph/component_labels.hpp>

#include <acre/csr/spmv.hpp>
#include <acre/global/memory/atomic.hpp>

#include <algorithm>

namespace acre::graph {

component_labels::component_labels(const csr_graph& graph) : labels_(graph.members(), graph.cut()) {
  const auto mine = labels_.local();
  for (std::size_t i = 0; i < mine.size(); ++i) mine[i] = static_cast<column_t>(first() + i);
  labels least(graph.members(), graph.cut());
  while (round(graph, least)) {
  }
}

bool component_labels::round(const csr_graph& graph, labels& least) {
  const team& members = graph.members();
  spmv<semirings::min_second<column_t>>(graph, labels_, least);
  const auto mine = labels_.local();
  const std::vector<column_t> before(mine.begin(), mine.end());
  members.barrier();
  for (std::size_t i = 0; i < mine.size(); ++i) {
    const column_t lower = least.local()[i];
    if (lower >= before[i]) continue;
    atomic_min_nbi(labels_.pointer(before[i]), lower);
    atomic_min_nbi(labels_.pointer(first() + i), lower);
  }
  members.barrier();
  shorten();
  const bool has_changed = !std::ranges::equal(before, mine);
  return members.allreduce(has_changed, op::logical_or);
}

void component_labels::shorten() {
  const auto mine = labels_.local();
  const std::vector<column_t> further = labels_.gather(std::span<const column_t>(mine));
  labels_.members().barrier();
  std::ranges::copy(further, mine.begin());
}

std::size_t component_labels::count() const {
  std::size_t all = 0;
  const auto mine = labels_.local();
  for (std::size_t i = 0; i < mine.size(); ++i) all += mine[i] == first() + i ? 1 : 0;
  return labels_.members().allreduce(all);
}

}  // namespace acre::graph
