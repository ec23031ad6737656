// SPDX-License-Identifier: BSD-3-Clause
#include "job_ending.hpp"

#include <algorithm>
#include <utility>

namespace acre::tool {

void job_ending::report_failure(failure_report because, clock::time_point now) {
  if (has_begun_) return;
  if (!verdict_ || because.found.weight > verdict_->weight) verdict_ = std::move(because.found);
  due_at_ = std::min(due_at_, now + because.wait);
}

void job_ending::leave(int status) {
  if (!verdict_) verdict_ = verdict{status, evidence::proof, {}};
}

std::string job_ending::begin() {
  return std::exchange(has_begun_, true) ? std::string() : verdict_->line;
}

clock::time_point job_ending::deadline() const {
  return is_pending() ? std::min(kill_at_, due_at_) : kill_at_;
}

}  // namespace acre::tool
