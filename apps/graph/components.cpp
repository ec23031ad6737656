// SPDX-License-Identifier: BSD-3-Clause
// Connected components: each vertex gets the minimum vertex number of its component.
//
// Each round takes the minimum of neighbours' labels by a (min, second) product, stores it to the
// vertex and its label's vertex by atomic minimum, then follows labels one step.
//
// Source: Zhang, Azad, Buluç: Parallel algorithms for finding connected components using linear
// algebra, 2020 (FastSV).
#include <acre/base/error.hpp>
#include <acre/csr/dense_vector.hpp>
#include <acre/csr/spmv.hpp>
#include <acre/global/memory/atomic.hpp>
#include <acre/launch/job.hpp>

#include <apps/graph/edge_lists.hpp>
#include <apps/graph/kernels.hpp>
#include <apps/graph/stopwatch.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace acre::graph {
namespace {

using labels = dense_vector<column_t>;

class component_search {
 public:
  explicit component_search(const csr_graph& graph)
      : graph_(graph), labels_(world(), graph.cut()), least_(world(), graph.cut()) {
    const auto mine = labels_.local();
    for (std::size_t i = 0; i < mine.size(); ++i) {
      mine[i] = static_cast<column_t>(labels_.local_offset() + i);
    }
  }

  bool round() {
    spmv<semirings::min_second<column_t>>(graph_, labels_, least_);
    const auto mine = labels_.local();
    const std::vector<column_t> before(mine.begin(), mine.end());
    world().barrier();
    for (std::size_t i = 0; i < mine.size(); ++i) {
      const column_t least = least_.local()[i];
      if (least >= before[i]) continue;
      atomic_min_nbi(labels_.pointer(before[i]), least);
      atomic_min_nbi(labels_.pointer(labels_.local_offset() + i), least);
    }
    world().barrier();
    shorten();
    const bool has_changed = !std::ranges::equal(before, mine);
    return world().allreduce(has_changed, op::logical_or);
  }

  /// True if neighbours have equal labels, and the vertex that a label names has that label.
  bool is_right() {
    labels most(world(), graph_.cut());
    spmv<semirings::min_second<column_t>>(graph_, labels_, least_);
    spmv<semirings::max_second<column_t>>(graph_, labels_, most);
    const auto mine = labels_.local();
    const auto of_labels = labels_.gather(std::span<const column_t>(mine));
    bool right = std::ranges::equal(of_labels, mine);
    for (std::size_t i = 0; i < mine.size(); ++i) {
      if (graph_.local_columns(i).empty()) continue;
      right = right && least_.local()[i] == mine[i] && most.local()[i] == mine[i];
    }
    return world().allreduce(right, op::logical_and);
  }

  [[nodiscard]] std::size_t components() const {
    std::size_t count = 0;
    const auto mine = labels_.local();
    for (std::size_t i = 0; i < mine.size(); ++i) count += mine[i] == labels_.local_offset() + i;
    return world().allreduce(count);
  }

 private:
  void shorten() {
    const auto mine = labels_.local();
    const std::vector<column_t> further = labels_.gather(std::span<const column_t>(mine));
    world().barrier();
    std::ranges::copy(further, mine.begin());
  }

  const csr_graph& graph_;
  labels labels_;
  labels least_;
};

}  // namespace

void find_components(const times_request& wanted) {
  const csr_graph graph = graph_of(world(), wanted);
  double least = INFINITY;
  std::size_t components = 0;
  unsigned rounds = 0;
  for (unsigned i = 0; i < wanted.times; ++i) {
    component_search searching(graph);
    rounds = 1;
    least = std::min(least, seconds_of([&] {
                       while (searching.round()) ++rounds;
                     }));
    components = searching.components();
    if (!searching.is_right()) throw error("acre-graph", "a component has more than one label");
  }
  if (rank() == 0) {
    fmt::print(
        "{{\"program\": \"components\", \"ranks\": {}, {}, \"entries\": {}, "
        "\"conduit\": \"{}\", \"verified\": true, \"components\": {}, \"rounds\": {}, "
        "\"seconds\": {:.5f}}}\n",
        size(), name_of(wanted), graph.entries(), conduit_name(), components, rounds, least);
  }
  world().barrier();
}

}  // namespace acre::graph
