// SPDX-License-Identifier: BSD-3-Clause
// Unions that this rank requests: a private forest, which omits those that follow from others, so
// at most one is left for each element.
#pragma once

#include <acre/container/sets/detail/element_numbers.hpp>
#include <acre/container/sets/detail/forest.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace acre::container {

/// For one thread.
class known_unions {
 public:
  /// Notes a union.
  /// @return false if it follows from others
  bool add(const element_pair& both) {
    std::uint32_t low = root_of(number_of(both.low));
    std::uint32_t high = root_of(number_of(both.high));
    if (low == high) return false;
    if (is_lower(numbers_.element(high), numbers_.element(low))) std::swap(low, high);
    parents_[low] = high;
    unsent_.push_back(low);
    return true;
  }

  [[nodiscard]] std::size_t elements() const noexcept { return numbers_.size(); }
  [[nodiscard]] std::size_t unsent() const noexcept { return unsent_.size(); }

  /// Moves unions noted since the last call to `into`, with highest ancestors.
  void take_unsent(std::vector<element_pair>& into) {
    into.clear();
    into.reserve(unsent_.size());
    for (const std::uint32_t each : unsent_) {
      into.push_back({numbers_.element(each), numbers_.element(root_of(each))});
    }
    unsent_.clear();
  }

  /// Removes all, without unsent ones.
  void clear() noexcept {
    numbers_.clear();
    parents_.clear();
  }

 private:
  [[nodiscard]] std::uint32_t number_of(std::uint64_t element) {
    const std::uint32_t number = numbers_.add(element);
    if (number == parents_.size()) parents_.push_back(number);
    return number;
  }
  [[nodiscard]] std::uint32_t root_of(std::uint32_t number) noexcept {
    while (parents_[number] != number) {
      parents_[number] = parents_[parents_[number]];
      number = parents_[number];
    }
    return number;
  }

  element_numbers numbers_;
  std::vector<std::uint32_t> parents_;
  std::vector<std::uint32_t> unsent_;
};

}  // namespace acre::container
