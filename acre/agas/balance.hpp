// SPDX-License-Identifier: BSD-3-Clause
// Which rank should have which object, by what each costs: balancers, and moving objects as one of
// them says.
//
//     std::vector<acre::object_load<cell>> mine;            // the objects that are here now
//     for (…) mine.push_back({cell, its_load, place_on_a_curve});
//     acre::balance(mine, acre::curve_balancer{});          // on all ranks; all have moved then
//
// A balancer is a pure function of what all ranks have told: loads, places, owners. It runs on each
// rank and says the same on all, so nobody has to tell anybody what was decided.
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

/// What a balancer knows of an object.
struct weighed_object {
  double load = 0;          ///< what it costs its owner, in any unit
  std::uint64_t place = 0;  ///< on a curve along which near objects talk to each other
  rank_t owner = 0;
};

/// Says for each object who should have it, of so many ranks.
template <class How>
concept balancer = requires(const How& how, std::span<const weighed_object> objects, rank_t ranks) {
  { how(objects, ranks) } -> std::convertible_to<std::vector<rank_t>>;
};

/// All stay: to see how uneven loads are.
struct no_balancer {
  [[nodiscard]] std::vector<rank_t> operator()(std::span<const weighed_object> objects,
                                               rank_t ranks) const;
};

/// Longest processing time first, with few moves: ranks above the mean give the largest objects
/// that they can without falling below it, and the largest of these goes first to who has least.
/// Places do not matter.
struct greedy_balancer {
  double tolerance = 0.05;  ///< above the mean, as a part of it, at which a rank gives nothing
  [[nodiscard]] std::vector<rank_t> operator()(std::span<const weighed_object> objects,
                                               rank_t ranks) const;
};

/// Cuts the curve of places into pieces of equal loads, rank 0's first.
struct curve_balancer {
  [[nodiscard]] std::vector<rank_t> operator()(std::span<const weighed_object> objects,
                                               rank_t ranks) const;
};

/// Load flows between ranks next in number like heat between cells, and with it go the objects that
/// lie nearest on the curve: few moves, to neighbours only. It takes several calls to come to rest
/// (Cybenko: Dynamic load balancing for distributed memory multiprocessors, 1989).
struct diffusion_balancer {
  unsigned sweeps = 8;  ///< over which loads spread before objects move
  [[nodiscard]] std::vector<rank_t> operator()(std::span<const weighed_object> objects,
                                               rank_t ranks) const;
};

/// As another balancer, but where loads are even enough all stay: moving costs, too, and loads that
/// are measured differ a little each time.
template <balancer How>
struct tolerant_balancer {
  How how;
  double tolerance = 0.05;  ///< by how much the largest load of a rank may be above the mean

  [[nodiscard]] std::vector<rank_t> operator()(std::span<const weighed_object> objects,
                                               rank_t ranks) const;
};

/// The largest load of a rank by the mean: 1 at best. 1 where there is no load.
[[nodiscard]] double imbalance(std::span<const weighed_object> objects,
                               std::span<const rank_t> owners, rank_t ranks);

template <balancer How>
std::vector<rank_t> tolerant_balancer<How>::operator()(std::span<const weighed_object> objects,
                                                       rank_t ranks) const {
  std::vector<rank_t> owners = no_balancer()(objects, ranks);
  return imbalance(objects, owners, ranks) <= 1 + tolerance ? owners : how(objects, ranks);
}

/// What balancing has changed, or would change, on all ranks together.
struct balance_report {
  double before = 1;  ///< imbalance()
  double after = 1;
  std::uint64_t moves = 0;
};

/// What was decided, and whither this rank's objects should go, in the order in which they were
/// given.
struct balance_decision {
  balance_report report;
  std::vector<rank_t> targets;
};

/// Collective over the job. Cost: an allgather of 24 bytes an object, and what the balancer takes.
/// @param mine  whose owner need not be set
/// @throws acre::error on all ranks, when a load is below 0 or not finite, or when the balancer
///         names no ranks of the job
[[nodiscard]] balance_decision decide_balance(
    std::span<const weighed_object> mine,
    const std::function<std::vector<rank_t>(std::span<const weighed_object>, rank_t)>& how);

/// An object that is on this rank, for balance().
template <class T>
struct object_load {
  object_id<T> object;
  double load = 0;
  std::uint64_t place = 0;
};

/// Migrates objects as the balancer says, and returns when all have arrived. Collective over the
/// job. Cost: decide_balance(), a barrier, and of each object that moves what migrate() takes;
/// calls go on meanwhile.
/// @param mine  each object on one rank; where it has left meanwhile it is migrated nevertheless
/// @throws acre::error when an object could not move, on the rank that had it
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
  barrier();  // also then: the others come here
  if (failure) std::rethrow_exception(failure);
  return decided.report;
}
template <class T, balancer How>
balance_report balance(const std::vector<object_load<T>>& mine, const How& how) {
  return balance(std::span<const object_load<T>>(mine), how);
}

}  // namespace acre
