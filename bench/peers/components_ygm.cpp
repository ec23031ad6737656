// SPDX-License-Identifier: BSD-3-Clause
// Connected components by YGM's disjoint_set.
//
//     mpirun -n 2 components_ygm SCALE TIMES
#include <bench/peers/serial_components.hpp>
#include <ygm/comm.hpp>
#include <ygm/container/disjoint_set.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <vector>

int main(int argc, char** argv) {
  ygm::comm world(&argc, &argv);
  if (argc < 3) return 2;
  using namespace acre::bench;
  const acre::graph::kronecker graph(static_cast<unsigned>(std::atoi(argv[1])));
  const int times = std::atoi(argv[2]);
  const auto ranks = static_cast<std::uint64_t>(world.size());
  const std::uint64_t each = graph.edges() / ranks + 1;
  const std::uint64_t first =
      std::min(graph.edges(), each * static_cast<std::uint64_t>(world.rank()));
  const auto edges = edges_of(graph, first, std::min(graph.edges(), first + each));
  double unite_s = INFINITY;
  double whole_s = INFINITY;
  std::uint64_t components = 0;
  bool right = true;
  for (int i = 0; i < times; ++i) {
    ygm::container::disjoint_set<std::uint32_t> sets(world);
    world.barrier();
    const double begin = MPI_Wtime();
    for (const auto& [u, v] : edges) sets.async_union(u, v);
    world.barrier();
    const double united = MPI_Wtime();
    sets.all_compress();
    world.barrier();
    const double end = MPI_Wtime();
    unite_s = std::min(unite_s, united - begin);
    whole_s = std::min(whole_s, end - begin);
    // Vertices without edges are no items of the set.
    components = sets.num_sets() + graph.vertices() - sets.size();
    if (i + 1 < times) continue;
    const serial_components expected(graph);
    sets.for_all([&](const std::uint32_t& vertex, const std::uint32_t& root) {
      right = right && expected.label(root) == expected.label(vertex);
    });
    right = world.all_reduce_min(right && components == expected.count() ? 1 : 0) == 1;
  }
  if (world.rank0()) {
    std::printf("{\"components\": %llu, \"verified\": %s, \"unite_s\": %.4f, \"seconds\": %.4f}\n",
                static_cast<unsigned long long>(components), right ? "true" : "false", unite_s,
                whole_s);
  }
  return 0;
}
