// SPDX-License-Identifier: BSD-3-Clause
// When to balance: when waiting for the slowest rank has cost more than moving objects does.
//
//     acre::imbalance_watch watch;
//     for (…) {
//       const double seconds = do_step(mine);                    // that this rank has worked
//       if (watch.is_due(seconds)) watch.balance(loads_of(mine), acre::curve_balancer{});
//     }
//
// In a step all wait for who has most to do: the others lose what they have less. That is added up
// until it is more than balancing has cost the last time (the rule by which loss and cost are at
// most twice the better of never and always; Menon et al.: Automated load balancing invocation
// based on application characteristics, 2012, look for the same point by a model).
#pragma once

#include <acre/agas/balance.hpp>
#include <acre/global/team/team.hpp>

#include <chrono>
#include <functional>
#include <span>
#include <vector>

namespace acre {

/// All ranks have one and call the same of it.
class imbalance_watch {
 public:
  /// Balancing costs nothing until it has been measured.
  imbalance_watch() noexcept = default;
  /// @param cost  of balancing, in seconds on one rank, until it has been measured
  explicit imbalance_watch(double cost) noexcept : cost_(cost) {}

  /// Whether balancing pays now; the same on all ranks. Collective. Cost: two reductions.
  /// @param seconds  that this rank has worked since the last call
  [[nodiscard]] bool is_due(double seconds) {
    const double most = world().allreduce(seconds, op::max);
    lost_ += most - world().allreduce(seconds) / size();
    return lost_ > cost_;
  }

  /// acre::balance(), and remembers what it has taken.
  template <class T, balancer How>
  balance_report balance(std::span<const object_load<T>> mine, const How& how) {
    const auto begin = std::chrono::steady_clock::now();
    const balance_report report = acre::balance(mine, how);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    has_cost(world().allreduce(taken.count(), op::max));
    return report;
  }
  template <class T, balancer How>
  balance_report balance(const std::vector<object_load<T>>& mine, const How& how) {
    return balance(std::span<const object_load<T>>(mine), how);
  }

  /// Of balancing that was done otherwise. The same on all ranks.
  void has_cost(double seconds) noexcept {
    cost_ = seconds;
    lost_ = 0;
  }

  /// Seconds that a rank has waited for the slowest, on average, since objects were moved.
  [[nodiscard]] double lost() const noexcept { return lost_; }
  /// Seconds that moving has taken the last time.
  [[nodiscard]] double cost() const noexcept { return cost_; }

 private:
  double lost_ = 0;
  double cost_ = 0;
};

}  // namespace acre
