// SPDX-License-Identifier: BSD-3-Clause
// Shortest paths from a vertex, by a priority queue with work stealing.
//
// An atomic minimum settles a removed vertex's distance; if improved, light edges, of at most
// `delta`, are relaxed. All ranks share a window of `delta`, then relax heavy edges.
//
// After Meyer and Sanders: Δ-stepping, a parallelizable shortest path algorithm, 2003; a heap
// replaces their phases.
#pragma once

#include <acre/base/split_mix.hpp>
#include <acre/container/priority/priority_queue.hpp>
#include <acre/csr/csr_matrix.hpp>
#include <acre/csr/dense_vector.hpp>

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace acre::graph {

/// 1 … most.
class edge_weights {
 public:
  explicit edge_weights(std::uint64_t seed, std::uint32_t most = 255) noexcept
      : seed_(split_mix(seed)), most_(most) {}

  [[nodiscard]] std::uint32_t operator()(std::uint64_t a, std::uint64_t b) const noexcept {
    const std::uint64_t both = a < b ? a << 32 | b : b << 32 | a;
    return static_cast<std::uint32_t>(1 + split_mix(seed_ ^ both) % most_);
  }

 private:
  std::uint64_t seed_;
  std::uint32_t most_;
};

class shortest_paths {
 public:
  using distance = std::uint32_t;
  static constexpr distance unreached = std::numeric_limits<distance>::max();

  /// @param graph  must outlive the object. Collective
  shortest_paths(const csr_graph& graph, const edge_weights& weights);

  /// Collective. Cost for each window: 3 B + 5 allreduces, or more.
  void run(std::uint64_t root, distance delta);

  [[nodiscard]] const dense_vector<distance>& distances() const noexcept { return distances_; }
  /// With repetitions.
  [[nodiscard]] std::uint64_t relaxations() const noexcept { return relaxations_; }
  [[nodiscard]] std::uint64_t windows() const noexcept { return windows_; }
  /// Relaxed vertices of others.
  [[nodiscard]] std::uint64_t stolen() const noexcept { return stolen_; }

 private:
  enum class edges : std::uint8_t { heavy, light };
  struct waiting {
    distance when;  ///< distance, or for heavy edges the end of the window
    distance so_far;
    column_t vertex;
    edges kind;
    friend bool operator<(const waiting& a, const waiting& b) noexcept {
      return a.when != b.when ? a.when < b.when : a.kind < b.kind;
    }
  };
  using queue = priority_queue<waiting>;

  [[nodiscard]] distance* near_distance(std::uint64_t vertex, rank_t owner) const noexcept;
  [[nodiscard]] bool is_due(const waiting& each, rank_t owner);
  void visit(const waiting& each, queue::pusher& more);
  void relax(const waiting& from, std::span<const column_t> neighbours, queue::pusher& more);

  const csr_graph& graph_;
  edge_weights weights_;
  dense_vector<distance> distances_;
  std::vector<distance*> near_distances_;  ///< offset to vertex 0; null on other nodes
  queue waiting_;
  distance delta_ = 1;
  distance end_ = 0;
  std::uint64_t relaxations_ = 0;
  std::uint64_t windows_ = 0;
  std::uint64_t stolen_ = 0;
};

/// @param incoming  edges into each vertex
/// @return empty if right; equal on all members. Collective
[[nodiscard]] std::string problem_of_distances(const csr_graph& incoming,
                                               const edge_weights& weights, std::uint64_t root,
                                               const dense_vector<shortest_paths::distance>& found);

}  // namespace acre::graph
