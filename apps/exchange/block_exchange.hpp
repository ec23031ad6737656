// SPDX-License-Identifier: BSD-3-Clause
// Synthetic benchmark of the mapping for CP2K: in each step, ranks of a grid send a block of each
// factor to a neighbour, and multiply the blocks that they hold meanwhile.
#pragma once

#include <acre/global/memory/atomic.hpp>
#include <acre/global/memory/put_signal.hpp>
#include <acre/global/memory/wait_until.hpp>
#include <acre/global/team/symmetric_array.hpp>
#include <acre/global/team/team.hpp>
#include <acre/view/box_span.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace acre::exchange {

struct grid_shape {
  std::uint32_t rows = 1;
  std::uint32_t columns = 1;
};

/// Parts of a step.
enum class activity : std::uint8_t { exchange, product, both };

/// Blocks of doubles of a member: two halves of each factor, used in turn, and the result.
class block_exchange {
 public:
  /// Collective. `members` has shape.rows * shape.columns members, the last coordinate fastest.
  block_exchange(const team& members, const grid_shape& shape, std::size_t side)
      : shape_(shape),
        side_(side),
        row_(members.rank() / shape.columns),
        column_(members.rank() % shape.columns),
        left_(members, 2 * side * side),
        right_(members, 2 * side * side),
        counts_(members, number_of_counts, 0),
        result_(side * side) {
    fill();
    members.barrier();
  }

  /// One step. After an exchange, this member holds the blocks of its right (first factor) and
  /// lower neighbour (second). Cost: 2 W and 4 A, or messages between nodes.
  /// @param product (a, b, c): adds the product of a and b to c
  template <class Product>
  void step(activity what, const Product& product) {
    const bool sends = what != activity::product;
    if (sends) send();
    if (what != activity::exchange) {
      product(view(left_.local(), half()), view(right_.local(), half()),
              box_span<double, 2>(result_.data(), {side_, side_}));
      ++products_;
      sum_ += static_cast<double>(side_) * value_held(left_factor) * value_held(right_factor);
    }
    if (sends) receive();
  }

  /// True if blocks and result have the expected values.
  [[nodiscard]] bool is_right() const {
    const auto all = [](std::span<const double> some, double value) {
      return std::ranges::all_of(some, [&](double each) { return each == value; });
    };
    return all(elements(left_.local(), half()), value_held(left_factor)) &&
           all(elements(right_.local(), half()), value_held(right_factor)) && all(result_, sum_);
  }

  [[nodiscard]] std::uint64_t products() const noexcept { return products_; }

 private:
  // Words of counts_. The sender (arrived) or receiver (released) adds one per step with
  // put_signal or atomic_add; this member reads with acquire.
  enum count : std::uint8_t {
    left_arrived,
    right_arrived,
    left_released,
    right_released,
    number_of_counts
  };
  enum factor : std::uint8_t { left_factor, right_factor };

  [[nodiscard]] std::size_t half() const noexcept { return steps_ % 2; }
  [[nodiscard]] std::size_t elements_each() const noexcept { return side_ * side_; }

  [[nodiscard]] rank_t member_at(std::uint32_t row, std::uint32_t column) const {
    return row % shape_.rows * shape_.columns + column % shape_.columns;
  }
  [[nodiscard]] rank_t to_the_left() const { return member_at(row_, column_ + shape_.columns - 1); }
  [[nodiscard]] rank_t to_the_right() const { return member_at(row_, column_ + 1); }
  [[nodiscard]] rank_t above() const { return member_at(row_ + shape_.rows - 1, column_); }
  [[nodiscard]] rank_t below() const { return member_at(row_ + 1, column_); }

  /// Small numbers, so that all sums are exact.
  static double value_of(factor which, rank_t member) {
    return which == left_factor ? 1 + member % 7 : 1 + member % 5;
  }
  [[nodiscard]] double value_held(factor which) const {
    const auto moved =
        static_cast<std::uint32_t>(steps_ % (which == left_factor ? shape_.columns : shape_.rows));
    return value_of(which, which == left_factor ? member_at(row_, column_ + moved)
                                                : member_at(row_ + moved, column_));
  }

  template <class T>
  [[nodiscard]] std::span<T> elements(std::span<T> of, std::size_t which) const {
    return of.subspan(which * elements_each(), elements_each());
  }
  [[nodiscard]] box_span<const double, 2> view(std::span<const double> of,
                                               std::size_t which) const {
    return {elements(of, which).data(), {side_, side_}};
  }

  void fill() {
    std::ranges::fill(elements(left_.local(), 0), value_held(left_factor));
    std::ranges::fill(elements(right_.local(), 0), value_held(right_factor));
  }

  void await(count which, std::uint64_t least) {
    const std::atomic_ref<std::uint64_t> word(counts_.local()[which]);
    wait_until([&] { return word.load(std::memory_order_acquire) >= least; });
  }

  void send() {
    await(left_released, steps_);
    await(right_released, steps_);
    const auto next = static_cast<std::ptrdiff_t>((1 - half()) * elements_each());
    put_signal_nbi(left_.pointer(to_the_left()) + next, elements(left_.local(), half()),
                   counts_.pointer(to_the_left()) + left_arrived, 1, signal_operation::add);
    put_signal_nbi(right_.pointer(above()) + next, elements(right_.local(), half()),
                   counts_.pointer(above()) + right_arrived, 1, signal_operation::add);
  }

  /// Releases this half once sent and multiplied.
  void receive() {
    quiet();
    atomic_add_nbi(counts_.pointer(to_the_right()) + left_released, std::uint64_t{1});
    atomic_add_nbi(counts_.pointer(below()) + right_released, std::uint64_t{1});
    ++steps_;
    await(left_arrived, steps_);
    await(right_arrived, steps_);
  }

  grid_shape shape_;
  std::size_t side_;
  std::uint32_t row_;
  std::uint32_t column_;
  symmetric_array<double> left_;
  symmetric_array<double> right_;
  symmetric_array<std::uint64_t> counts_;
  std::vector<double> result_;
  std::uint64_t steps_ = 0;
  std::uint64_t products_ = 0;
  double sum_ = 0;
};

}  // namespace acre::exchange
