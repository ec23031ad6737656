// SPDX-License-Identifier: BSD-3-Clause
// Lets requests exceed a full window (request_window.hpp) if the sender can neither send nor run
// other work, which breaks deadlocks in cycles of ranks. After a back-off, as the target may be
// computing, the limit rises by a window. Unneeded excess is withdrawn. The back-off doubles up to
// a second while the target runs no requests.
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

  static constexpr std::chrono::milliseconds first_delay{10};
  static constexpr std::chrono::milliseconds longest_delay{1000};

  explicit window_excess(std::uint32_t window) noexcept : window_(window) {}

  /// True if a request may go to a rank with a full window. Polled; thread-safe.
  /// @param under_way  units under way there
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
    if (now - of.since < of.delay) return false;
    of.limit = under_way + window_;
    of.delay = of.has_run ? first_delay : std::min(2 * of.delay, longest_delay);
    of.has_run = false;
    of.since = {};
    return true;
  }

 private:
  struct excess {
    std::uint32_t limit = 0;
    std::uint32_t seen = 0;
    bool has_run = false;
    std::chrono::milliseconds delay = first_delay;
    time_point since{};
  };

  std::uint32_t window_;
  std::mutex lock_;
  std::unordered_map<rank_t, excess> targets_;
};

}  // namespace acre::runtime
