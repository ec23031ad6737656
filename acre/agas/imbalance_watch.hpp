// SPDX-License-Identifier: BSD-3-Clause
// Decides when to balance: as soon as imbalance has cost more time than moving objects.
//
//     acre::imbalance_watch watch;
//     for (…) {
//       const double seconds = do_step(mine);                    // work of this rank
//       if (watch.is_due(seconds)) watch.balance(loads_of(mine), acre::curve_balancer{});
//     }
// The threshold is the last cost of balancing; loss plus cost is at most twice the better of never
// and always (cf. Menon et al.: Automated load balancing invocation based on application
// characteristics, 2012).
#pragma once

#include <acre/agas/balance.hpp>
#include <acre/global/team/team.hpp>

#include <chrono>
#include <functional>
#include <span>
#include <vector>

namespace acre {

/// One per rank, with equal calls on all ranks.
class imbalance_watch {
 public:
  imbalance_watch() noexcept = default;
  /// @param cost  of balancing, in seconds on one rank, until the first is measured
  explicit imbalance_watch(double cost) noexcept : cost_(cost) {}

  /// True on all ranks if balancing pays now. Cost: two reductions.
  /// @param seconds  worked since the last call
  [[nodiscard]] bool is_due(double seconds) {
    const double most = world().allreduce(seconds, op::max);
    lost_ += most - world().allreduce(seconds) / size();
    return lost_ > cost_;
  }

  /// Calls acre::balance() and measures it.
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

  /// For balancing without balance(): sets its cost, equal on all ranks.
  void has_cost(double seconds) noexcept {
    cost_ = seconds;
    lost_ = 0;
  }

  /// Mean seconds per rank lost since the last balancing.
  [[nodiscard]] double lost() const noexcept { return lost_; }
  /// Seconds of the last balancing.
  [[nodiscard]] double cost() const noexcept { return cost_; }

 private:
  double lost_ = 0;
  double cost_ = 0;
};

}  // namespace acre
