// SPDX-License-Identifier: BSD-3-Clause
#include <acre/mapping/traffic.hpp>

#include <acre/base/error.hpp>

#include <algorithm>
#include <cmath>
#include <string>

namespace acre::mapping {

traffic::traffic(rank_t ranks, std::span<const message> messages) : first_(std::size_t{ranks} + 1) {
  constexpr const char* call = "mapping::traffic";
  const auto ends = [](const message& of) {
    return "the traffic from rank " + std::to_string(of.from) + " to " + std::to_string(of.to);
  };
  for (const message& each : messages) {
    if (each.from >= ranks || each.to >= ranks) {
      throw error(call,
                  ends(each) + " is out of range for a job of " + std::to_string(ranks) + " ranks");
    }
    if (!std::isfinite(each.bytes) || each.bytes < 0) {
      throw error(call,
                  ends(each) + " is " + std::to_string(each.bytes) + " bytes, which is invalid",
                  "bytes must be at least 0");
    }
    if (each.from != each.to && each.bytes > 0) ++first_[each.from + 1];
  }
  for (std::size_t r = 0; r < ranks; ++r) first_[r + 1] += first_[r];
  flows_.resize(first_[ranks]);
  std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
  for (const message& each : messages) {
    if (each.from != each.to && each.bytes > 0) {
      flows_[next[each.from]++] = {.to = each.to, .bytes = each.bytes};
    }
  }
  std::size_t kept = 0;
  for (rank_t r = 0; r < ranks; ++r) {
    const std::span row = std::span(flows_).subspan(first_[r], first_[r + 1] - first_[r]);
    std::ranges::sort(row, {}, &flow::to);
    first_[r] = kept;
    for (const flow& each : row) {
      if (kept > first_[r] && flows_[kept - 1].to == each.to) {
        flows_[kept - 1].bytes += each.bytes;
      } else {
        flows_[kept++] = each;
      }
    }
  }
  first_[ranks] = kept;
  flows_.resize(kept);
  constexpr double most_bytes = 1e100;
  if (total() > most_bytes)
    throw error(call, "the traffic exceeds 1e100 bytes", "write smaller numbers");
}

traffic traffic::in_messages(const traffic& numbers) const {
  if (numbers.ranks() != ranks()) {
    throw error("mapping::traffic",
                "mismatch of the messages of " + std::to_string(numbers.ranks()) +
                    " ranks and the traffic of " + std::to_string(ranks()) + " ranks");
  }
  traffic made = *this;
  made.messages_.assign(flows_.size(), 1);
  for (rank_t rank = 0; rank < ranks(); ++rank) {
    auto counted = numbers.from(rank).begin();
    const auto end = numbers.from(rank).end();
    for (std::size_t i = first_[rank]; i < first_[rank + 1]; ++i) {
      while (counted != end && counted->to < flows_[i].to) ++counted;
      if (counted != end && counted->to == flows_[i].to) made.messages_[i] = counted->bytes;
    }
  }
  return made;
}

double traffic::total() const noexcept {
  double sum = 0;
  for (const flow& each : flows_) sum += each.bytes;
  return sum;
}

traffic both_ways(const traffic& flows) {
  std::vector<traffic::message> messages;
  messages.reserve(2 * flows.flows());
  for (rank_t from = 0; from < flows.ranks(); ++from) {
    for (const auto& [to, bytes] : flows.from(from)) {
      messages.push_back({from, to, bytes});
      messages.push_back({to, from, bytes});
    }
  }
  return {flows.ranks(), messages};
}

traffic between_groups(const traffic& flows, std::span<const std::uint32_t> group_of,
                       rank_t groups) {
  std::vector<traffic::message> messages;
  for (rank_t from = 0; from < flows.ranks(); ++from) {
    for (const auto& each : flows.from(from)) {
      if (group_of[from] == group_of[each.to]) continue;
      messages.push_back({group_of[from], group_of[each.to], each.bytes});
    }
  }
  return {groups, messages};
}

}  // namespace acre::mapping
