// SPDX-License-Identifier: BSD-3-Clause
// Connected components of a Kronecker graph by a union_find; checked against a serial one.
//
//     bench-components [scale] [times]
#include <acre/acre.hpp>

#include <apps/graph/kronecker.hpp>
#include <bench/peers/serial_components.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using namespace acre::bench;

template <class Work>
double seconds_of(Work&& work) {
  acre::barrier();
  const auto begin = std::chrono::steady_clock::now();
  work();
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
  return acre::world().allreduce(spent.count(), acre::op::max);
}

std::vector<component_edge> own_edges(const acre::graph::kronecker& graph) {
  const std::uint64_t each = graph.edges() / acre::size() + 1;
  const std::uint64_t first = std::min(graph.edges(), each * acre::rank());
  return edges_of(graph, first, std::min(graph.edges(), first + each));
}

/// True if this rank's elements have equal representatives exactly if they are in one component.
bool is_right(const acre::union_find& sets, const acre::graph::kronecker& graph) {
  const serial_components expected(graph);
  std::vector<std::uint64_t> roots(sets.size(), sets.size());
  bool right = true;
  sets.for_each_local([&](std::uint64_t element, std::uint64_t root) {
    std::uint64_t& of_component = roots[expected.label(element)];
    if (of_component == sets.size()) of_component = root;
    right = right && of_component == root && expected.label(root) == expected.label(element);
  });
  const bool all = acre::world().allreduce(right, acre::op::logical_and);
  return all && sets.set_count() == expected.count();
}

}  // namespace

int main(int argc, char** argv) {
  const acre::job job;
  const auto scale = static_cast<unsigned>(argc > 1 ? std::atoi(argv[1]) : 14);
  const int times = argc > 2 ? std::atoi(argv[2]) : 3;
  const acre::graph::kronecker graph(scale);
  const std::vector<component_edge> edges = own_edges(graph);
  acre::union_find sets(acre::world(), graph.vertices());
  double unite = INFINITY;
  double whole = INFINITY;
  acre::operation_counts spent;
  for (int i = 0; i < times; ++i) {
    sets.clear();
    double once = 0;
    const acre::operation_counts before = acre::counters();
    const double all = seconds_of([&] {
      once = seconds_of([&] { sets.unite_all(edges); });
      sets.compress();
    });
    spent = acre::counters() - before;
    unite = std::min(unite, once);
    whole = std::min(whole, all);
  }
  const std::uint64_t messages = acre::world().allreduce(spent.messages);
  const std::uint64_t bytes = acre::world().allreduce(spent.message_bytes);
  const std::uint64_t components = sets.set_count();
  const bool right = is_right(sets, graph);
  if (acre::rank() == 0) {
    std::printf(
        "{\"scale\": %u, \"ranks\": %u, \"conduit\": \"%s\", \"components\": %llu, "
        "\"verified\": %s, \"unite_s\": %.4f, \"seconds\": %.4f, \"messages\": %llu, "
        "\"message_bytes\": %llu}\n",
        scale, acre::size(), std::string(acre::conduit_name()).c_str(),
        static_cast<unsigned long long>(components), right ? "true" : "false", unite, whole,
        static_cast<unsigned long long>(messages), static_cast<unsigned long long>(bytes));
  }
  return right ? 0 : 1;
}
