// SPDX-License-Identifier: BSD-3-Clause
// How far windows of requests (request_window.hpp) are exceeded by sends that can neither go nor
// run anything meanwhile. Ranks that send to each other from functions that run in such waits, each
// as deep as the stack allows, form a cycle that nothing else would end.
//
// Such a send has patience first, for its target may only be computing. Then the window grows by
// itself once, so that what a cycle has under way, however much that is, takes a wait for each
// window of it and not for each message. What is not needed any more is taken back. The patience
// for a target that has run nothing since doubles, up to a second: so who computes for ten seconds
// is sent some fifteen windows more.
#pragma once

#include <acre/runtime/world.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <unordered_map>

namespace acre::runtime {

class window_excess {
 public:
  using time_point = std::chrono::steady_clock::time_point;

  static constexpr std::chrono::milliseconds first_patience{10};
  static constexpr std::chrono::milliseconds most_patience{1000};

  explicit window_excess(std::uint32_t window) noexcept : window_(window) {}

  /// Whether a request may go to a rank whose window is full. Asked again and again by who waits;
  /// any thread may ask.
  /// @param under_way  what is under way to that rank, in units
  [[nodiscard]] bool allows(rank_t target, std::uint32_t under_way, time_point now) {
    const std::lock_guard hold(lock_);
    auto [known, is_new] = targets_.try_emplace(target, excess{.limit = window_});
    excess& of = known->second;
    if (under_way < of.seen) of.has_run = true;
    of.seen = under_way;
    if (under_way + 2 * window_ < of.limit) of.limit = under_way + window_;
    if (under_way < of.limit) {
      of.since = {};
      return true;
    }
    if (of.since == time_point{}) of.since = now;
    if (now - of.since < of.patience) return false;
    of.limit = under_way + window_;
    of.patience = of.has_run ? first_patience : std::min(2 * of.patience, most_patience);
    of.has_run = false;
    of.since = {};
    return true;
  }

 private:
  struct excess {
    std::uint32_t limit = 0;
    std::uint32_t seen = 0;  ///< what was under way when somebody asked last
    bool has_run = false;    ///< it has become less since the limit was raised
    std::chrono::milliseconds patience = first_patience;
    time_point since{};  ///< somebody waits at the limit
  };

  std::uint32_t window_;
  std::mutex lock_;
  std::unordered_map<rank_t, excess> targets_;
};

}  // namespace acre::runtime
