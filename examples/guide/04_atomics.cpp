// SPDX-License-Identifier: BSD-3-Clause
// A random graph: all ranks count degrees and find connected components, only with atomics.
#include <acre/acre.hpp>

#include <algorithm>
#include <cstdio>
#include <random>
#include <utility>
#include <vector>

int main() {
  const acre::job job;
  constexpr unsigned vertices = 1000;
  constexpr unsigned edges = 800;  // of all ranks together
  constexpr unsigned chunk = 10;

  acre::array<unsigned> degree(acre::world(), vertices, 0U);
  acre::array<unsigned> label(acre::world(), vertices);
  acre::hosted_array<unsigned> ticket(acre::world(), acre::hosted_by{0}, 1, 0U);
  for (std::size_t i = 0; i < label.local().size(); ++i) {
    label.local()[i] = static_cast<unsigned>(label.local_offset() + i);
  }
  acre::barrier();

  const acre::operation_counts before = acre::counters();
  // Each free rank draws the next chunk of edges: no two ranks get the same ticket.
  std::vector<std::pair<unsigned, unsigned>> mine;
  for (unsigned first; (first = acre::fetch_add(ticket.pointer(0), chunk)) < edges;) {
    std::mt19937 random(first);
    const auto draw = [&] { return static_cast<unsigned>(random() % vertices); };
    for (unsigned i = 0; i < chunk; ++i) {
      const unsigned u = draw();
      const unsigned v = draw();
      mine.emplace_back(u, v);
      acre::atomic_add_nbi(degree.pointer(u), 1U);  // does not wait …
      acre::atomic_add_nbi(degree.pointer(v), 1U);
    }
  }
  acre::barrier();  // … but the barrier does
  const auto spent = acre::world().allreduce((acre::counters() - before).atomics);

  // Both ends of an edge get the smaller label, until no label changes on any rank.
  for (bool changed = true; acre::world().allreduce(changed, acre::op::logical_or);) {
    changed = false;
    for (const auto& [u, v] : mine) {
      const unsigned least =
          std::min(acre::atomic_load(label.pointer(u)), acre::atomic_load(label.pointer(v)));
      changed |= acre::fetch_min(label.pointer(u), least) > least;
      changed |= acre::fetch_min(label.pointer(v), least) > least;
    }
  }

  unsigned roots = 0;
  for (std::size_t i = 0; i < label.local().size(); ++i) {
    roots += label.local()[i] == label.local_offset() + i ? 1 : 0;
  }
  const unsigned most = *std::ranges::max_element(degree.local());
  roots = acre::world().allreduce(roots);
  const unsigned highest = acre::world().allreduce(most, acre::op::max);
  if (acre::rank() == 0) {
    std::printf("%u components, highest degree %u\n", roots, highest);
    std::printf("tickets and degrees of %u edges took %zu A\n", edges,
                static_cast<std::size_t>(spent));
  }
}
