// SPDX-License-Identifier: BSD-3-Clause
#include <acre/agas/balance.hpp>

#include <acre/base/error.hpp>
#include <acre/global/team/team.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <queue>
#include <string>
#include <utility>

namespace acre {
namespace {

using objects_of_all = std::span<const weighed_object>;

std::vector<rank_t> owners_of(objects_of_all objects) {
  std::vector<rank_t> owners;
  owners.reserve(objects.size());
  for (const weighed_object& each : objects) owners.push_back(each.owner);
  return owners;
}

std::vector<double> loads_of_ranks(objects_of_all objects, std::span<const rank_t> owners,
                                   rank_t ranks) {
  std::vector<double> loads(ranks);
  for (std::size_t i = 0; i < objects.size(); ++i) loads[owners[i]] += objects[i].load;
  return loads;
}

template <class Of>
std::vector<std::size_t> sorted_by(objects_of_all objects, Of of) {
  std::vector<std::size_t> order(objects.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return std::pair(of(objects[i]), i); });
  return order;
}

std::vector<double> flows_to_next(std::vector<double> loads, unsigned sweeps) {
  constexpr double share = 1.0 / 3;
  std::vector<double> flows(loads.size() - 1);
  std::vector<double> now(flows.size());
  for (unsigned sweep = 0; sweep < sweeps; ++sweep) {
    for (std::size_t r = 0; r < now.size(); ++r) now[r] = share * (loads[r] - loads[r + 1]);
    for (std::size_t r = 0; r < now.size(); ++r) {
      flows[r] += now[r];
      loads[r] -= now[r];
      loads[r + 1] += now[r];
    }
  }
  return flows;
}

void require_load(double load, rank_t owner) {
  if (load >= 0 && std::isfinite(load)) return;
  throw error("balance",
              "an object of rank " + std::to_string(owner) + " has the invalid load " +
                  std::to_string(load),
              "loads must be finite and at least 0");
}

}  // namespace

std::vector<rank_t> no_balancer::operator()(objects_of_all objects, rank_t /*ranks*/) const {
  return owners_of(objects);
}

std::vector<rank_t> greedy_balancer::operator()(objects_of_all objects, rank_t ranks) const {
  std::vector<rank_t> owners = owners_of(objects);
  std::vector<double> loads = loads_of_ranks(objects, owners, ranks);
  const double mean = std::accumulate(loads.begin(), loads.end(), 0.0) / ranks;
  const double limit = mean * (1 + tolerance);
  std::vector<bool> gives(ranks);
  for (rank_t r = 0; r < ranks; ++r) gives[r] = loads[r] > limit;

  std::vector<std::size_t> given;
  for (const std::size_t i : sorted_by(objects, [](const auto& o) { return -o.load; })) {
    const double left = loads[owners[i]] - objects[i].load;
    if (!gives[owners[i]] || objects[i].load <= 0 || left < mean) continue;
    loads[owners[i]] = left;
    given.push_back(i);
  }
  using rank_with_load = std::pair<double, rank_t>;
  std::priority_queue<rank_with_load, std::vector<rank_with_load>, std::greater<>> least;
  for (rank_t r = 0; r < ranks; ++r) least.emplace(loads[r], r);
  for (const std::size_t i : given) {
    const auto [load, taker] = least.top();
    least.pop();
    owners[i] = taker;
    least.emplace(load + objects[i].load, taker);
  }
  return owners;
}

std::vector<rank_t> curve_balancer::operator()(objects_of_all objects, rank_t ranks) const {
  std::vector<rank_t> owners = owners_of(objects);
  double all = 0;
  for (const weighed_object& each : objects) all += each.load;
  if (all <= 0) return owners;
  double before = 0;
  for (const std::size_t i : sorted_by(objects, [](const auto& o) { return o.place; })) {
    const double middle =
        before + objects[i].load / 2;  // each object belongs to the owner of its middle
    before += objects[i].load;
    owners[i] = std::min(static_cast<rank_t>(middle / all * ranks), ranks - 1);
  }
  return owners;
}

std::vector<rank_t> diffusion_balancer::operator()(objects_of_all objects, rank_t ranks) const {
  std::vector<rank_t> owners = owners_of(objects);
  if (ranks < 2) return owners;
  const std::vector<double> flows = flows_to_next(loads_of_ranks(objects, owners, ranks), sweeps);
  const auto upwards = sorted_by(objects, [](const auto& o) { return o.place; });
  std::vector<double> down(ranks);
  std::vector<double> up(ranks);
  for (rank_t r = 0; r + 1 < ranks; ++r) {
    up[r] = std::max(flows[r], 0.0);
    down[r + 1] = std::max(-flows[r], 0.0);
  }
  const auto flow = [&](std::size_t i, std::vector<double>& left, rank_t to) {
    const rank_t from = objects[i].owner;
    if (owners[i] != from) return;
    if (objects[i].load / 2 < left[from]) {
      left[from] -= objects[i].load;
      owners[i] = to;
    } else {
      left[from] = 0;  // later objects must not overtake this one
    }
  };
  for (const std::size_t i : upwards) flow(i, down, objects[i].owner - 1);
  for (std::size_t n = upwards.size(); n-- > 0;)
    flow(upwards[n], up, objects[upwards[n]].owner + 1);
  return owners;
}

double imbalance(objects_of_all objects, std::span<const rank_t> owners, rank_t ranks) {
  const std::vector<double> loads = loads_of_ranks(objects, owners, ranks);
  const double all = std::accumulate(loads.begin(), loads.end(), 0.0);
  return all > 0 ? std::ranges::max(loads) * ranks / all : 1;
}

balance_decision decide_balance(
    objects_of_all mine,
    const std::function<std::vector<rank_t>(std::span<const weighed_object>, rank_t)>& how) {
  std::vector<weighed_object> all;
  std::size_t first = 0;
  const auto told = world().allgatherv(mine);
  for (rank_t r = 0; r < size(); ++r) {
    if (r == rank()) first = all.size();
    for (const weighed_object& each : told[r]) {
      require_load(each.load, r);
      all.push_back({each.load, each.place, r});
    }
  }
  const std::vector<rank_t> owners = how(all, size());
  if (owners.size() != all.size() ||
      std::ranges::any_of(owners, [](rank_t r) { return r >= size(); })) {
    throw error("balance",
                "the balancer returned " + std::to_string(owners.size()) + " ranks for " +
                    std::to_string(all.size()) + " objects, or a rank outside the job",
                "return a rank of the job for each object, in the order of the objects");
  }
  balance_decision decided;
  decided.report.before = imbalance(all, owners_of(all), size());
  decided.report.after = imbalance(all, owners, size());
  for (std::size_t i = 0; i < all.size(); ++i) decided.report.moves += owners[i] != all[i].owner;
  const auto begin = owners.begin() + static_cast<std::ptrdiff_t>(first);
  decided.targets.assign(begin, begin + static_cast<std::ptrdiff_t>(mine.size()));
  return decided;
}

}  // namespace acre
