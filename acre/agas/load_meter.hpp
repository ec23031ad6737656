// SPDX-License-Identifier: BSD-3-Clause
// What an object costs its owner, for balancers: measured, not guessed.
//
//     class cell {
//       void step() { const acre::load_meter::piece timed(cost_); … }
//       friend auto acre_fields(cell& c) { return std::tie(c.state_, c.cost_); }
//       acre::load_meter cost_;
//     };
//     mine.push_back({cell, here->cost().seconds(), place});    // for balance(); then restart()
//
// The meter lies in the object, and moves with it.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <tuple>

namespace acre {

/// Time of equal pieces of work, and what was written to objects elsewhere. Ranks may share a core,
/// and while another has it a clock goes on: so the shortest piece since the restart stands for
/// all.
class load_meter {
 public:
  using clock = std::chrono::steady_clock;

  /// A piece of work, from where it is made to the end of its scope, or to stop().
  class piece {
   public:
    explicit piece(load_meter& meter) noexcept : meter_(meter) {}
    piece(const piece&) = delete;
    piece& operator=(const piece&) = delete;
    ~piece() { stop(); }

    /// It was as much as so many pieces; 0: it does not count. l.
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

  /// Since the restart; 0 where nothing was done.
  [[nodiscard]] double seconds() const noexcept {
    return pieces_ == 0 ? 0 : static_cast<double>(pieces_) * shortest_;
  }
  [[nodiscard]] std::uint64_t pieces() const noexcept { return pieces_; }
  /// Bytes to objects of other ranks.
  [[nodiscard]] std::uint64_t traffic() const noexcept { return traffic_; }

  friend auto acre_fields(load_meter& m) { return std::tie(m.shortest_, m.pieces_, m.traffic_); }

 private:
  double shortest_ = std::numeric_limits<double>::infinity();
  std::uint64_t pieces_ = 0;
  std::uint64_t traffic_ = 0;
};

}  // namespace acre
