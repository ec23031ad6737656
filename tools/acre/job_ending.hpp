// SPDX-License-Identifier: BSD-3-Clause
// Why and when a job ends: by the reason of the best evidence, which is waited for a moment.
#pragma once

#include "output.hpp"

#include <chrono>
#include <optional>
#include <string>

namespace acre::tool {

/// Between SIGTERM and SIGKILL.
inline constexpr std::chrono::milliseconds grace{300};

/// A rank that closes its connection is usually about to end, and its end says why.
inline constexpr std::chrono::milliseconds farewell{1000};

/// A rank that was killed makes others fail, and their complaints may be heard
/// first: so a complaint waits for a moment whether a better reason turns up.
inline constexpr std::chrono::milliseconds settling{20};

/// How sure it is that a rank's end came first. A rank that loses another may say
/// so, exit with a status, or abort over an exception; it does not just leave.
enum class evidence { silence, complaint, abortion, departure, proof };

/// Why and how the job ends. It is replaced by one of better evidence only.
struct verdict {
  int status = 0;
  evidence weight = evidence::complaint;
  std::string line;  ///< empty: nothing to be said
};

/// A verdict that counts after `wait`, unless a better one comes.
struct accusation {
  verdict found;
  std::chrono::milliseconds wait{0};
};

class job_ending {
 public:
  void accuse(accusation because, clock::time_point now);
  /// The status to exit with, where there is no verdict yet.
  void leave(int status);

  [[nodiscard]] bool has_verdict() const noexcept { return verdict_.has_value(); }
  /// Whether there is a verdict and the job is not being ended.
  [[nodiscard]] bool is_pending() const noexcept { return verdict_ && !has_begun_; }
  [[nodiscard]] bool is_due(clock::time_point now) const { return is_pending() && now >= due_at_; }

  /// Begins to end the job. @return the line to show, once
  [[nodiscard]] std::string begin();
  /// All ranks are to be killed after `grace`.
  void kill_after_grace(clock::time_point now) { kill_at_ = now + grace; }
  void kill_no_more() { kill_at_ = clock::time_point::max(); }
  [[nodiscard]] bool is_time_to_kill(clock::time_point now) const { return now >= kill_at_; }

  [[nodiscard]] clock::time_point deadline() const;
  [[nodiscard]] int status() const { return verdict_ ? verdict_->status : 0; }

 private:
  std::optional<verdict> verdict_;
  clock::time_point due_at_ = clock::time_point::max();
  clock::time_point kill_at_ = clock::time_point::max();
  bool has_begun_ = false;
};

}  // namespace acre::tool
