// SPDX-License-Identifier: BSD-3-Clause
// Load balancing of movable objects.
//
//     std::vector<acre::object_load<cell>> mine;            // objects on this rank
//     for (…) mine.push_back({cell, its_load, place_on_a_curve});
//     acre::balance(mine, acre::curve_balancer{});          // collective
//
// Balancers are pure functions of gathered data: all ranks compute the same result.
#pragma once

#include <acre/agas/object_id.hpp>
#include <acre/global/future/future.hpp>
#include <acre/global/team/team.hpp>
#include <acre/runtime/world.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <span>
#include <vector>

namespace acre {

struct weighed_object {
  double load = 0;          ///< in any unit
  std::uint64_t place = 0;  ///< on a curve where near objects communicate
  rank_t owner = 0;
};

/// how(objects, ranks) returns the new owner of each object.
template <class How>
concept balancer = requires(const How& how, std::span<const weighed_object> objects, rank_t ranks) {
  { how(objects, ranks) } -> std::convertible_to<std::vector<rank_t>>;
};

/// Leaves all objects in place.
struct no_balancer {
  [[nodiscard]] std::vector<rank_t> operator()(std::span<const weighed_object> objects,
                                               rank_t ranks) const;
};

/// Ranks with more than 1 + `tolerance` times the mean load give objects, largest first, to the
/// least loaded rank, and keep at least the mean (longest processing time first).
struct greedy_balancer {
  double tolerance = 0.05;  ///< accepted excess, as a fraction of the mean
  [[nodiscard]] std::vector<rank_t> operator()(std::span<const weighed_object> objects,
                                               rank_t ranks) const;
};

/// Cuts the curve into pieces of equal load, in rank order.
struct curve_balancer {
  [[nodiscard]] std::vector<rank_t> operator()(std::span<const weighed_object> objects,
                                               rank_t ranks) const;
};

/// Diffuses load between consecutive ranks, at the ends of their pieces of the curve. Few moves,
/// but several calls until balanced (Cybenko: Dynamic load balancing for distributed memory
/// multiprocessors, 1989).
struct diffusion_balancer {
  unsigned sweeps = 8;  ///< steps of diffusion per call
  [[nodiscard]] std::vector<rank_t> operator()(std::span<const weighed_object> objects,
                                               rank_t ranks) const;
};

/// Runs `how` only if the imbalance exceeds 1 + `tolerance`.
template <balancer How>
struct tolerant_balancer {
  How how;
  double tolerance = 0.05;

  [[nodiscard]] std::vector<rank_t> operator()(std::span<const weighed_object> objects,
                                               rank_t ranks) const;
};

/// Maximum load / mean load; 1 without load.
[[nodiscard]] double imbalance(std::span<const weighed_object> objects,
                               std::span<const rank_t> owners, rank_t ranks);

template <balancer How>
std::vector<rank_t> tolerant_balancer<How>::operator()(std::span<const weighed_object> objects,
                                                       rank_t ranks) const {
  std::vector<rank_t> owners = no_balancer()(objects, ranks);
  return imbalance(objects, owners, ranks) <= 1 + tolerance ? owners : how(objects, ranks);
}

struct balance_report {
  double before = 1;  ///< imbalance()
  double after = 1;
  std::uint64_t moves = 0;
};

/// A balancer's decision; `targets` are the new owners, in the order of `mine`.
struct balance_decision {
  balance_report report;
  std::vector<rank_t> targets;
};

/// Runs a balancer without moving objects. Collective over the job. Cost: an allgather of 24 bytes
/// per object, and the balancer.
/// @param mine  this rank's objects; their `owner` is ignored
/// @throws acre::error on all ranks for a negative or non-finite load or an invalid new owner
[[nodiscard]] balance_decision decide_balance(
    std::span<const weighed_object> mine,
    const std::function<std::vector<rank_t>(std::span<const weighed_object>, rank_t)>& how);

template <class T>
struct object_load {
  object_id<T> object;
  double load = 0;
  std::uint64_t place = 0;
};

/// Migrates objects as `how` decides; returns when all have arrived. Collective over the job; other
/// calls may run meanwhile. Cost: decide_balance(), a barrier, migrate() per move.
/// @param mine  objects listed by this rank only, even if one has left
/// @throws acre::error if an object could not move, on the rank that listed it
template <class T, balancer How>
balance_report balance(std::span<const object_load<T>> mine, const How& how) {
  std::vector<weighed_object> weighed;
  weighed.reserve(mine.size());
  for (const object_load<T>& each : mine) weighed.push_back({each.load, each.place, rank()});
  const balance_decision decided = decide_balance(weighed, how);
  std::vector<future<void>> moves;
  for (std::size_t i = 0; i < mine.size(); ++i) {
    if (decided.targets[i] != rank()) moves.push_back(migrate(mine[i].object, decided.targets[i]));
  }
  std::exception_ptr failure;
  for (future<void>& each : moves) {
    try {
      each.get();
    } catch (...) {
      failure = std::current_exception();
    }
  }
  barrier();  // also after a failure: other ranks wait here
  if (failure) std::rethrow_exception(failure);
  return decided.report;
}
template <class T, balancer How>
balance_report balance(const std::vector<object_load<T>>& mine, const How& how) {
  return balance(std::span<const object_load<T>>(mine), how);
}

}  // namespace acre
