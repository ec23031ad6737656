// SPDX-License-Identifier: BSD-3-Clause
#include <apps/kmers/histogram.hpp>

namespace acre::kmers {

std::vector<histogram::line> histogram::lines() const {
  std::vector<line> all;
  for (std::size_t occurrences = 1; occurrences < low_.size(); ++occurrences) {
    if (low_[occurrences] > 0) all.push_back({occurrences, low_[occurrences]});
  }
  for (const auto& [occurrences, number] : high_) {
    if (number > 0) all.push_back({occurrences, number});
  }
  return all;
}

std::uint64_t histogram::distinct() const {
  std::uint64_t sum = 0;
  for (const auto& [occurrences, number] : lines()) sum += number;
  return sum;
}

std::uint64_t histogram::total() const {
  std::uint64_t sum = 0;
  for (const auto& [occurrences, number] : lines()) sum += occurrences * number;
  return sum;
}

std::uint64_t histogram::number(std::uint64_t occurrences) const {
  if (occurrences < low_counts) return occurrences == 0 ? 0 : low_[occurrences];
  const auto found = high_.find(occurrences);
  return found == high_.end() ? 0 : found->second;
}

std::string histogram::text(std::uint64_t high) const {
  std::string all;
  std::uint64_t higher = 0;
  const auto add = [&](std::uint64_t occurrences, std::uint64_t number) {
    all += std::to_string(occurrences) + ' ' + std::to_string(number) + '\n';
  };
  for (const auto& [occurrences, number] : lines()) {
    if (occurrences <= high) {
      add(occurrences, number);
    } else {
      higher += number;
    }
  }
  if (higher > 0) add(high + 1, higher);
  return all;
}

}  // namespace acre::kmers
