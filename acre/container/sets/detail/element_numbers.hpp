// SPDX-License-Identifier: BSD-3-Clause
// Numbers elements 0, 1, … in order of their first occurrence, by a hash table.
#pragma once

#include <acre/base/bits.hpp>
#include <acre/base/split_mix.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace acre::container {

/// For one thread, and fewer than 2^32 elements.
class element_numbers {
 public:
  [[nodiscard]] std::uint32_t add(std::uint64_t element) {
    if (2 * (elements_.size() + 1) > table_.size()) grow();
    std::uint32_t& place = place_of(element);
    if (place == 0) {
      elements_.push_back(element);
      place = static_cast<std::uint32_t>(elements_.size());
    }
    return place - 1;
  }
  /// @param element  added before
  [[nodiscard]] std::uint32_t operator[](std::uint64_t element) const noexcept {
    return place_of(element) - 1;
  }

  [[nodiscard]] std::uint64_t element(std::uint32_t number) const noexcept {
    return elements_[number];
  }
  [[nodiscard]] std::size_t size() const noexcept { return elements_.size(); }

  void clear() noexcept {
    table_.clear();
    elements_.clear();
  }

 private:
  static constexpr std::size_t least_places = 64;

  [[nodiscard]] const std::uint32_t& place_of(std::uint64_t element) const noexcept {
    const std::size_t mask = table_.size() - 1;
    std::size_t place = split_mix(element) & mask;
    while (table_[place] != 0 && elements_[table_[place] - 1] != element) {
      place = (place + 1) & mask;
    }
    return table_[place];
  }
  [[nodiscard]] std::uint32_t& place_of(std::uint64_t element) noexcept {
    return const_cast<std::uint32_t&>(std::as_const(*this).place_of(element));
  }

  void grow() {
    table_.assign(larger(2 * table_.size(), least_places), 0);
    for (std::size_t each = 0; each < elements_.size(); ++each) {
      place_of(elements_[each]) = static_cast<std::uint32_t>(each + 1);
    }
  }

  std::vector<std::uint32_t> table_;  ///< number + 1; 0: empty
  std::vector<std::uint64_t> elements_;
};

}  // namespace acre::container
