// SPDX-License-Identifier: BSD-3-Clause
// Shape of a strided transfer: a contiguous run, repeated in several dimensions. Strides are in
// bytes, possibly negative.
//
//     box rows(8);                 // elements of 8 bytes
//     rows.repeat(20, 8, 8);       // contiguous on both sides: merged to 160 bytes
//     rows.repeat(10, 800, 160);   // ten of these, strides 800 (remote) and 160 (local)
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>

namespace acre::fabric {

class box {
 public:
  /// Limit of dimensions that do not merge; larger transfers need several boxes.
  static constexpr std::size_t most_dimensions = 8;

  explicit constexpr box(std::size_t run_bytes) noexcept : run_bytes_(run_bytes) {}

  /// Adds a slower dimension; at most most_dimensions that do not merge.
  /// @param remote, local  strides
  constexpr void repeat(std::size_t count, std::ptrdiff_t remote, std::ptrdiff_t local) noexcept {
    if (count == 1) return;
    if (count == 0 || run_bytes_ == 0) {
      runs_ = 0;
      return;
    }
    const auto run = static_cast<std::ptrdiff_t>(run_bytes_);
    if (used_ == 0 && remote == run && local == run) {
      run_bytes_ *= count;
      return;
    }
    runs_ *= count;
    if (used_ != 0) {
      dimension& slowest = dimensions_[used_ - 1];
      const auto repeats = static_cast<std::ptrdiff_t>(slowest.count);
      if (remote == slowest.remote * repeats && local == slowest.local * repeats) {
        slowest.count *= count;
        return;
      }
    }
    assert(used_ < most_dimensions);
    dimensions_[used_++] = {count, remote, local};
  }

  [[nodiscard]] constexpr std::size_t run_bytes() const noexcept { return run_bytes_; }
  [[nodiscard]] constexpr std::size_t runs() const noexcept { return run_bytes_ == 0 ? 0 : runs_; }
  [[nodiscard]] constexpr std::size_t bytes() const noexcept { return run_bytes_ * runs(); }

  /// True if the local side is one contiguous run in order.
  [[nodiscard]] constexpr bool is_dense_here() const noexcept {
    auto next = static_cast<std::ptrdiff_t>(run_bytes_);
    for (std::size_t d = 0; d < used_; ++d) {
      if (dimensions_[d].local != next) return false;
      next *= static_cast<std::ptrdiff_t>(dimensions_[d].count);
    }
    return true;
  }

  /// Validates a received box: well-formed, and within a remote region of `bytes` from `offset`.
  [[nodiscard]] bool lies_in(std::uint64_t offset, std::uint64_t bytes) const noexcept;

  class walk;
  /// Runs of constant stride; offsets from the box's first byte.
  struct line {
    std::size_t runs;
    std::ptrdiff_t remote;
    std::ptrdiff_t local;
    std::ptrdiff_t remote_step;
    std::ptrdiff_t local_step;
  };
  /// Calls f(line) for all lines that cover `count` runs from run `first`.
  template <class F>
  constexpr void each_line(std::size_t first, std::size_t count, F&& f) const;

 private:
  struct dimension {
    std::size_t count;
    std::ptrdiff_t remote;
    std::ptrdiff_t local;
  };

  std::size_t run_bytes_;
  std::size_t runs_ = 1;
  std::size_t used_ = 0;
  std::array<dimension, most_dimensions> dimensions_{};
};

/// Iterates over runs.
class box::walk {
 public:
  explicit constexpr walk(const box& shape, std::size_t first_run = 0) noexcept
      : shape_(&shape), left_(shape.runs() - first_run) {
    for (std::size_t d = 0; first_run != 0 && d < shape.used_; ++d) {
      const dimension& each = shape.dimensions_[d];
      index_[d] = first_run % each.count;
      first_run /= each.count;
      remote_ += static_cast<std::ptrdiff_t>(index_[d]) * each.remote;
      local_ += static_cast<std::ptrdiff_t>(index_[d]) * each.local;
    }
  }

  /// Number of runs left, including this one.
  [[nodiscard]] constexpr std::size_t left() const noexcept { return left_; }
  /// Offset from the box's first byte.
  [[nodiscard]] constexpr std::ptrdiff_t remote() const noexcept { return remote_; }
  [[nodiscard]] constexpr std::ptrdiff_t local() const noexcept { return local_; }

  constexpr void next() noexcept { skip(1); }

  /// This run and those that follow at a constant stride.
  [[nodiscard]] constexpr line rest_of_line() const noexcept {
    if (shape_->used_ == 0) return {left_, remote_, local_, 0, 0};
    const dimension& fastest = shape_->dimensions_[0];
    return {fastest.count - index_[0], remote_, local_, fastest.remote, fastest.local};
  }
  /// @param runs  at most those of rest_of_line()
  constexpr void skip(std::size_t runs) noexcept {
    left_ -= runs;
    for (std::size_t d = 0; d < shape_->used_; ++d) {
      const dimension& each = shape_->dimensions_[d];
      remote_ += static_cast<std::ptrdiff_t>(runs) * each.remote;
      local_ += static_cast<std::ptrdiff_t>(runs) * each.local;
      index_[d] += runs;
      if (index_[d] < each.count) return;
      index_[d] = 0;
      remote_ -= static_cast<std::ptrdiff_t>(each.count) * each.remote;
      local_ -= static_cast<std::ptrdiff_t>(each.count) * each.local;
      runs = 1;
    }
  }

 private:
  const box* shape_;
  std::size_t left_;
  std::ptrdiff_t remote_ = 0;
  std::ptrdiff_t local_ = 0;
  std::array<std::size_t, most_dimensions> index_{};
};

template <class F>
constexpr void box::each_line(std::size_t first, std::size_t count, F&& f) const {
  for (walk at(*this, first); count != 0;) {
    line next = at.rest_of_line();
    if (next.runs > count) next.runs = count;
    f(next);
    at.skip(next.runs);
    count -= next.runs;
  }
}

}  // namespace acre::fabric
