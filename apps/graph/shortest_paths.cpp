// SPDX-License-Identifier: BSD-3-Clause
#include <apps/graph/shortest_paths.hpp>

#include <acre/base/error.hpp>
#include <acre/global/memory/atomic.hpp>
#include <acre/global/memory/put_get.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <optional>
#include <string>

namespace acre::graph {
namespace {

/// @return true if `value` was less
bool lower(std::uint32_t& place, std::uint32_t value) noexcept {
  const std::atomic_ref word(place);
  std::uint32_t seen = word.load(std::memory_order_relaxed);
  while (value < seen) {
    if (word.compare_exchange_weak(seen, value, std::memory_order_relaxed)) return true;
  }
  return false;
}

[[noreturn]] void throw_too_far(std::uint64_t vertex) {
  throw error("acre-graph paths",
              fmt::format("the distance of vertex {} does not fit in 32 bits", vertex),
              "choose a root from which paths are shorter");
}

}  // namespace

shortest_paths::shortest_paths(const csr_graph& graph, const edge_weights& weights)
    : graph_(graph),
      weights_(weights),
      distances_(graph.members(), graph.cut(), unreached),
      waiting_(graph.members()) {
  for (rank_t member = 0; member < graph.members().size(); ++member) {
    const std::size_t first = graph.cut().first_of(member);
    const bool has_some = graph.cut().count_of(member) != 0;
    distance* const here = has_some ? distances_.pointer(first).local() : nullptr;
    near_distances_.push_back(here == nullptr ? nullptr : here - first);
  }
}

void shortest_paths::run(std::uint64_t root, distance delta) {
  std::ranges::fill(distances_.local(), unreached);
  relaxations_ = windows_ = stolen_ = 0;
  delta_ = delta;
  if (graph_.cut().owner(root) == graph_.members().rank()) {
    waiting_.push({0, 0, static_cast<column_t>(root), edges::light});
  }
  const auto work = [this](const waiting& each, queue::pusher& more) { visit(each, more); };
  // The collective call orders the distances before others' work.
  while (const auto least = waiting_.least()) {
    end_ = unreached - least->when <= delta ? unreached : least->when + delta;
    waiting_.work_before({end_, 0, 0, edges::heavy}, work);
    waiting_.work_before({end_, 0, 0, edges::light}, work);
    ++windows_;
  }
}

shortest_paths::distance* shortest_paths::near_distance(std::uint64_t vertex,
                                                        rank_t owner) const noexcept {
  distance* const near = near_distances_[owner];
  return near == nullptr ? nullptr : near + vertex;
}

/// @return true if the edges must be relaxed
bool shortest_paths::is_due(const waiting& each, rank_t owner) {
  distance* const near = near_distance(each.vertex, owner);
  if (each.kind == edges::heavy) {
    return (near != nullptr ? *near : get(distances_.pointer(each.vertex))) == each.so_far;
  }
  return near != nullptr ? lower(*near, each.so_far)
                         : fetch_min(distances_.pointer(each.vertex), each.so_far) > each.so_far;
}

void shortest_paths::visit(const waiting& each, queue::pusher& more) {
  const rank_t owner = graph_.cut().owner(each.vertex);
  if (!is_due(each, owner)) return;
  if (near_distance(each.vertex, owner) != nullptr) {
    const auto rows = graph_.near_rows(owner);
    relax(each, rows.columns_of(each.vertex - rows.first), more);
  } else {
    relax(each, graph_.row(each.vertex).columns, more);
  }
  if (owner != graph_.members().rank()) ++stolen_;
}

void shortest_paths::relax(const waiting& from, std::span<const column_t> neighbours,
                           queue::pusher& more) {
  bool has_heavy = false;
  for (const column_t neighbour : neighbours) {
    const distance weight = weights_(from.vertex, neighbour);
    const edges kind = weight <= delta_ ? edges::light : edges::heavy;
    has_heavy = has_heavy || kind == edges::heavy;
    if (kind != from.kind) continue;
    ++relaxations_;
    if (weight >= unreached - from.so_far) throw_too_far(neighbour);
    const distance further = from.so_far + weight;
    const rank_t owner = graph_.cut().owner(neighbour);
    if (distance* const near = near_distance(neighbour, owner)) {
      const std::atomic_ref seen(*near);
      if (seen.load(std::memory_order_relaxed) <= further) continue;
    }
    more.push(owner, {further, further, neighbour, edges::light});
  }
  if (from.kind == edges::light && has_heavy) {
    more.push({end_, from.so_far, from.vertex, edges::heavy});
  }
}

std::string problem_of_distances(const csr_graph& incoming, const edge_weights& weights,
                                 std::uint64_t root,
                                 const dense_vector<shortest_paths::distance>& found) {
  constexpr auto unreached = shortest_paths::unreached;
  const auto rows = incoming.local();
  std::string problem;
  for (std::size_t row = 0; row < rows.count && problem.empty(); ++row) {
    const std::uint64_t vertex = rows.first + row;
    const auto mine = found.local()[row];
    const auto neighbours = rows.columns_of(row);
    const auto theirs = found.gather(neighbours);
    bool is_explained = mine == unreached || (vertex == root && mine == 0);
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      const auto weight = weights(vertex, neighbours[i]);
      if (theirs[i] != unreached && mine > theirs[i] + weight) {
        problem = fmt::format(
            "vertices {} and {}, joined by an edge of weight {}, have distances {} "
            "and {}",
            vertex, neighbours[i], weight, mine, theirs[i]);
      }
      is_explained = is_explained || (theirs[i] != unreached && mine == theirs[i] + weight);
    }
    if (problem.empty() && !is_explained) {
      problem = fmt::format("no edge leads to vertex {} with distance {}", vertex, mine);
    }
  }
  for (const std::string& each : incoming.members().allgather(problem)) {
    if (!each.empty()) return each;
  }
  return {};
}

}  // namespace acre::graph
