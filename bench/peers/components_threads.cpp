// SPDX-License-Identifier: BSD-3-Clause
// Connected components by threads: Rem's algorithm with compare-and-swap and splitting, the fastest
// of ConnectIt (Dhulipala, Hong, Shun, VLDB 2020).
//
//     components_threads SCALE THREADS TIMES
#include <bench/peers/serial_components.hpp>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <thread>
#include <utility>
#include <vector>

namespace {

using namespace acre::bench;
using word = std::uint32_t;

word load(std::vector<word>& parents, word vertex) {
  return std::atomic_ref(parents[vertex]).load(std::memory_order_relaxed);
}
bool exchange(std::vector<word>& parents, word vertex, word before, word after) {
  return std::atomic_ref(parents[vertex])
      .compare_exchange_strong(before, after, std::memory_order_relaxed);
}

void unite(std::vector<word>& parents, word u, word v) {
  word of_u = load(parents, u);
  word of_v = load(parents, v);
  while (of_u != of_v) {
    if (of_u < of_v) {
      std::swap(u, v);
      std::swap(of_u, of_v);
    }
    if (u == of_u) {
      if (exchange(parents, u, u, of_v)) return;
    } else {
      const word above = load(parents, of_u);
      if (above != of_u) exchange(parents, u, of_u, above);
      u = of_u;
    }
    of_u = load(parents, u);
    of_v = load(parents, v);
  }
}

word root_of(std::vector<word>& parents, word vertex) {
  for (word parent; (parent = load(parents, vertex)) != vertex;) vertex = parent;
  return vertex;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  const acre::graph::kronecker graph(static_cast<unsigned>(std::atoi(argv[1])));
  const auto threads = static_cast<unsigned>(std::atoi(argv[2]));
  const int times = std::atoi(argv[3]);
  std::vector<std::vector<component_edge>> edges(threads);
  std::vector<word> parents(graph.vertices());
  double unite_s = INFINITY;
  double whole_s = INFINITY;
  std::barrier together(threads);
  const auto work = [&](unsigned thread) {
    const std::uint64_t each = graph.edges() / threads + 1;
    const std::uint64_t first = std::min(graph.edges(), each * thread);
    edges[thread] = edges_of(graph, first, std::min(graph.edges(), first + each));
    const auto part = static_cast<word>(graph.vertices() / threads + 1);
    const word begin = std::min(static_cast<word>(graph.vertices()), part * thread);
    const word end = std::min(static_cast<word>(graph.vertices()), begin + part);
    for (int i = 0; i < times; ++i) {
      for (word vertex = begin; vertex < end; ++vertex) parents[vertex] = vertex;
      together.arrive_and_wait();
      const auto start = std::chrono::steady_clock::now();
      for (const auto& [u, v] : edges[thread]) unite(parents, u, v);
      together.arrive_and_wait();
      const auto united = std::chrono::steady_clock::now();
      for (word vertex = begin; vertex < end; ++vertex) {
        const word root = root_of(parents, vertex);
        std::atomic_ref(parents[vertex]).store(root, std::memory_order_relaxed);
      }
      together.arrive_and_wait();
      const auto finished = std::chrono::steady_clock::now();
      if (thread != 0) continue;
      unite_s = std::min(unite_s, std::chrono::duration<double>(united - start).count());
      whole_s = std::min(whole_s, std::chrono::duration<double>(finished - start).count());
    }
  };
  std::vector<std::thread> all;
  for (unsigned thread = 0; thread < threads; ++thread) all.emplace_back(work, thread);
  for (std::thread& each : all) each.join();
  const serial_components expected(graph);
  std::uint64_t components = 0;
  bool right = true;
  for (word vertex = 0; vertex < parents.size(); ++vertex) {
    components += parents[vertex] == vertex ? 1 : 0;
    right = right && expected.label(parents[vertex]) == expected.label(vertex);
  }
  right = right && components == expected.count();
  std::printf("{\"components\": %llu, \"verified\": %s, \"unite_s\": %.4f, \"seconds\": %.4f}\n",
              static_cast<unsigned long long>(components), right ? "true" : "false", unite_s,
              whole_s);
  return right ? 0 : 1;
}
