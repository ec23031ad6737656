// SPDX-License-Identifier: BSD-3-Clause
// A job ends for the reason with the best evidence within a short wait.
#pragma once

#include "output.hpp"

#include <chrono>
#include <optional>
#include <string>

namespace acre::tool {

/// Between SIGTERM and SIGKILL.
inline constexpr std::chrono::milliseconds grace{300};

/// A closed connection usually precedes the rank's end, which has the reason.
inline constexpr std::chrono::milliseconds disconnect_grace{1000};

/// A killed rank makes others fail, and their errors may arrive first.
inline constexpr std::chrono::milliseconds settling{20};

/// Confidence that a rank's end was first. A rank that loses another may report, exit with a status
/// or abort, but not just leave.
enum class evidence { silence, complaint, abortion, departure, proof };

struct verdict {
  int status = 0;
  evidence weight = evidence::complaint;
  std::string line;  ///< empty: no message
};

/// Verdict that applies after `wait` unless a better one arrives.
struct failure_report {
  verdict found;
  std::chrono::milliseconds wait{0};
};

class job_ending {
 public:
  void report_failure(failure_report because, clock::time_point now);
  void leave(int status);

  [[nodiscard]] bool has_verdict() const noexcept { return verdict_.has_value(); }
  [[nodiscard]] bool is_pending() const noexcept { return verdict_ && !has_begun_; }
  [[nodiscard]] bool is_due(clock::time_point now) const { return is_pending() && now >= due_at_; }

  /// Begins the end. @return the message, once
  [[nodiscard]] std::string begin();
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
