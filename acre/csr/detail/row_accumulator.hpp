// SPDX-License-Identifier: BSD-3-Clause
// Accumulators of one product row, drained in ascending column order; hashed for very short rows
// (docs/developers/modules/csr.md).
#pragma once

#include <acre/base/bits.hpp>
#include <acre/csr/csr_rows.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <vector>

namespace acre::csr {

template <class S>
class dense_accumulator {
 public:
  using value = typename S::value_type;

  explicit dense_accumulator(std::size_t columns)
      : lines_(round_up(divide_up(columns, line), sizeof(std::uint64_t))),
        sums_(std::make_unique_for_overwrite<value[]>(columns)),
        used_(std::make_unique<std::uint8_t[]>(lines_ * line)),
        used_lines_(std::make_unique<std::uint8_t[]>(lines_)) {
    std::fill_n(sums_.get(), columns, S::zero());
  }

  void add(column_t column, const value& summand) {
    add_unlisted(column, summand);
    used_lines_[column / line] = 1;
  }
  /// As add(), without the second-level mark, for long rows; requires drain_all().
  void add_unlisted(column_t column, const value& summand) {
    sums_[column] = S::add(sums_[column], summand);
    used_[column] = 1;
  }

  template <class Emit>
  void drain(Emit&& emit) {
    for (std::size_t first = 0; first < lines_; first += sizeof(std::uint64_t)) {
      std::uint64_t eight = 0;
      std::memcpy(&eight, used_lines_.get() + first, sizeof(eight));
      if (eight == 0) continue;
      for (std::size_t number = first; number < first + sizeof(eight); ++number) {
        if (used_lines_[number] != 0) drain_line(number, emit);
      }
      std::memset(used_lines_.get() + first, 0, sizeof(eight));
    }
  }
  template <class Emit>
  void drain_all(Emit&& emit) {
    for (std::size_t number = 0; number < lines_; ++number) drain_line(number, emit);
  }

 private:
  static constexpr std::size_t line = 64;

  static std::uint64_t bits_of(const std::uint8_t* marks) noexcept {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < line; i += 8) {
      std::uint64_t eight = 0;
      std::memcpy(&eight, marks + i, sizeof(eight));
      bits |= (eight * 0x0102040810204080U >> 56) << i;
    }
    return bits;
  }
  static bool is_used(const std::uint8_t* marks) noexcept {
    std::uint64_t all[line / sizeof(std::uint64_t)];
    std::memcpy(all, marks, line);
    std::uint64_t any = 0;
    for (const std::uint64_t each : all) any |= each;
    return any != 0;
  }

  template <class Emit>
  void drain_line(std::size_t number, Emit& emit) {
    std::uint8_t* const marks = used_.get() + number * line;
    if (!is_used(marks)) return;
    for (std::uint64_t bits = bits_of(marks); bits != 0; bits &= bits - 1) {
      const std::size_t column = number * line + static_cast<std::size_t>(std::countr_zero(bits));
      emit(static_cast<column_t>(column), sums_[column]);
      sums_[column] = S::zero();
    }
    std::memset(marks, 0, line);
  }

  std::size_t lines_;
  std::unique_ptr<value[]> sums_;
  std::unique_ptr<std::uint8_t[]> used_;
  std::unique_ptr<std::uint8_t[]> used_lines_;
};

template <class S>
class hashed_accumulator {
 public:
  using value = typename S::value_type;

  void reserve(std::size_t columns) {
    const std::size_t wanted = std::bit_ceil(2 * columns);
    if (wanted <= size_) return;
    size_ = wanted;
    columns_ = std::make_unique_for_overwrite<column_t[]>(size_);
    sums_ = std::make_unique_for_overwrite<value[]>(size_);
    std::fill_n(columns_.get(), size_, none);
  }

  void add(column_t column, const value& summand) {
    std::size_t slot = column * golden_gamma >> 32 & (size_ - 1);
    while (columns_[slot] != column) {
      if (columns_[slot] == none) {
        columns_[slot] = column;
        sums_[slot] = S::zero();
        filled_.push_back(std::uint64_t{column} << 32 | slot);
        break;
      }
      slot = (slot + 1) & (size_ - 1);
    }
    sums_[slot] = S::add(sums_[slot], summand);
  }

  template <class Emit>
  void drain(Emit&& emit) {
    std::ranges::sort(filled_);
    for (const std::uint64_t each : filled_) {
      const auto slot = static_cast<std::uint32_t>(each);
      emit(static_cast<column_t>(each >> 32), sums_[slot]);
      columns_[slot] = none;
    }
    filled_.clear();
  }

 private:
  static constexpr column_t none = std::numeric_limits<column_t>::max();

  std::size_t size_ = 0;
  std::unique_ptr<column_t[]> columns_;
  std::unique_ptr<value[]> sums_;
  std::vector<std::uint64_t> filled_;
};

}  // namespace acre::csr
