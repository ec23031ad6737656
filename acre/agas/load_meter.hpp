// SPDX-License-Identifier: BSD-3-Clause
// Measures the cost of an object, for balancers. The meter is a member, and moves with the object.
//
//     class cell {
//       void step() { const acre::load_meter::piece timed(cost_); … }
//       friend auto acre_fields(cell& c) { return std::tie(c.state_, c.cost_); }
//       acre::load_meter cost_;
//     };
//     mine.push_back({cell, here->cost().seconds(), place});    // for balance(); then restart()
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <tuple>

namespace acre {

/// Pieces do equal work: each is charged the shortest time, as other processes lengthen times.
class load_meter {
 public:
  using clock = std::chrono::steady_clock;

  /// Times until stop() or the end of its scope.
  class piece {
   public:
    explicit piece(load_meter& meter) noexcept : meter_(meter) {}
    piece(const piece&) = delete;
    piece& operator=(const piece&) = delete;
    ~piece() { stop(); }

    /// Counts as `pieces` pieces; 0 discards. l.
    void stop(std::uint32_t pieces = 1) noexcept {
      if (is_running_) meter_.add(clock::now() - begin_, pieces);
      is_running_ = false;
    }

   private:
    load_meter& meter_;
    clock::time_point begin_ = clock::now();
    bool is_running_ = true;
  };

  void add(clock::duration time, std::uint32_t pieces = 1) noexcept {
    if (pieces == 0) return;
    const double each = std::chrono::duration<double>(time).count() / pieces;
    shortest_ = std::min(shortest_, each);
    pieces_ += pieces;
  }
  void add_traffic(std::uint64_t bytes) noexcept { traffic_ += bytes; }
  void restart() noexcept { *this = {}; }

  /// Pieces times the shortest, since the restart.
  [[nodiscard]] double seconds() const noexcept {
    return pieces_ == 0 ? 0 : static_cast<double>(pieces_) * shortest_;
  }
  [[nodiscard]] std::uint64_t pieces() const noexcept { return pieces_; }
  /// Sum of add_traffic(): bytes sent to objects of other ranks.
  [[nodiscard]] std::uint64_t traffic() const noexcept { return traffic_; }

  friend auto acre_fields(load_meter& m) { return std::tie(m.shortest_, m.pieces_, m.traffic_); }

 private:
  double shortest_ = std::numeric_limits<double>::infinity();
  std::uint64_t pieces_ = 0;
  std::uint64_t traffic_ = 0;
};

}  // namespace acre
