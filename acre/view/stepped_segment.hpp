// SPDX-License-Identifier: BSD-3-Clause
// Segment whose elements are at equal distances in memory; at distance 0 it repeats one element.
#pragma once

#include <acre/view/global_span.hpp>
#include <acre/view/segment_walk.hpp>
#include <acre/view/strided.hpp>

#include <cstddef>

namespace acre::view {

template <class T>
class stepped_segment {
 public:
  /// @param step  in elements
  stepped_segment(global_ptr<T> first, std::size_t count, std::size_t step)
      : base_(first, span_of_steps(count, step)), count_(count), step_(step) {}

  [[nodiscard]] rank_t rank() const { return base_.rank(); }
  [[nodiscard]] std::size_t size() const noexcept { return count_; }
  [[nodiscard]] auto begin() const { return step_iterator(base_.begin(), step_); }
  [[nodiscard]] auto end() const { return begin() + static_cast<std::ptrdiff_t>(count_); }
  [[nodiscard]] auto local() const { return steps_from(base_.local().data()); }
  [[nodiscard]] stepped_segment subspan(std::size_t first, std::size_t count) const {
    return {base_.data() + static_cast<std::ptrdiff_t>(first * step_), count, step_};
  }
  /// Local range of equal steps; empty for null.
  [[nodiscard]] auto steps_from(T* first) const {
    return counted_from(step_iterator(first, step_), first == nullptr ? 0 : count_);
  }

  /// The memory, with the elements between.
  [[nodiscard]] const global_span<T>& base() const noexcept { return base_; }
  [[nodiscard]] std::size_t step() const noexcept { return step_; }

 private:
  global_span<T> base_;
  std::size_t count_;
  std::size_t step_;
};

}  // namespace acre::view
