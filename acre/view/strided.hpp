// SPDX-License-Identifier: BSD-3-Clause
// View of every step-th element of a range, in place; not a memory_range.
//
//     acre::fill(a | acre::views::strided(2), 0.0);                // a[0], a[2], …
#pragma once

#include <acre/base/bits.hpp>
#include <acre/base/site.hpp>
#include <acre/view/covered_elements.hpp>
#include <acre/view/random_steps.hpp>
#include <acre/view/range_faults.hpp>
#include <acre/view/ranges.hpp>
#include <acre/view/segment_walk.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <ranges>
#include <utility>

namespace acre {

namespace view {

[[noreturn]] void throw_no_stride(std::size_t step, bool is_negative, const site& where);

/// Multiplies by the step only on access, as a step from the last element may leave the range.
template <std::random_access_iterator I>
class step_iterator
    : public numbered_steps<step_iterator<I>, std::iter_value_t<I>, std::iter_reference_t<I>> {
 public:
  constexpr step_iterator() = default;
  constexpr step_iterator(I first, std::size_t step)
      : first_(std::move(first)), step_(static_cast<std::ptrdiff_t>(step)) {}

  [[nodiscard]] constexpr std::iter_reference_t<I> operator*() const {
    return first_[number_ * step_];
  }
  [[nodiscard]] constexpr std::iter_reference_t<I> operator[](std::ptrdiff_t n) const {
    return first_[(number_ + n) * step_];
  }
  constexpr step_iterator& operator+=(std::ptrdiff_t n) {
    number_ += n;
    return *this;
  }
  [[nodiscard]] constexpr std::ptrdiff_t number() const noexcept { return number_; }

 private:
  I first_{};
  std::ptrdiff_t step_ = 1;
  std::ptrdiff_t number_ = 0;
};

[[nodiscard]] constexpr std::size_t stepped_size(std::size_t size, std::size_t step) noexcept {
  return divide_up(size, step);
}
[[nodiscard]] constexpr std::size_t span_of_steps(std::size_t count, std::size_t step) noexcept {
  return count == 0 ? 0 : (count - 1) * step + 1;
}

template <class R>
[[nodiscard]] constexpr auto stepped(const R& range, std::size_t step) {
  return counted_from(step_iterator(plain_begin(range), step),
                      stepped_size(static_cast<std::size_t>(std::ranges::size(range)), step));
}

template <class S>
class strided_segment {
 public:
  strided_segment(const S& base, std::size_t step) : base_(base), step_(step) {}

  [[nodiscard]] rank_t rank() const { return ranges::rank(base_); }
  [[nodiscard]] std::size_t size() const {
    return stepped_size(static_cast<std::size_t>(std::ranges::size(base_)), step_);
  }
  [[nodiscard]] auto begin() const { return step_iterator(std::ranges::begin(base_), step_); }
  [[nodiscard]] auto end() const { return begin() + static_cast<std::ptrdiff_t>(size()); }
  [[nodiscard]] auto local() const { return stepped(ranges::local(base_), step_); }
  [[nodiscard]] strided_segment subspan(std::size_t first, std::size_t count) const {
    return {slice(base_, first * step_, span_of_steps(count, step_)), step_};
  }

  [[nodiscard]] const S& base() const noexcept { return base_; }
  [[nodiscard]] std::size_t step() const noexcept { return step_; }

 private:
  S base_;
  std::size_t step_;
};

/// Keeps a base iterator, which caches its contiguous run, and moves it.
template <ranges::segmented_iterator I>
class strided_iterator
    : public numbered_steps<strided_iterator<I>, std::iter_value_t<I>, std::iter_reference_t<I>> {
 public:
  strided_iterator() = default;
  strided_iterator(I first, std::size_t size, std::size_t step)
      : at_(std::move(first)), size_(size), step_(step) {}

  [[nodiscard]] std::iter_reference_t<I> operator*() const { return *at_; }
  [[nodiscard]] std::iter_reference_t<I> operator[](std::ptrdiff_t n) const { return *(*this + n); }
  strided_iterator& operator+=(std::ptrdiff_t n) {
    number_ += static_cast<std::size_t>(n);
    const std::size_t position = smaller(number_ * step_, size_);
    at_ += static_cast<std::ptrdiff_t>(position - position_);
    position_ = position;
    return *this;
  }
  [[nodiscard]] std::size_t number() const noexcept { return number_; }

  [[nodiscard]] std::size_t index() const
    requires requires(const I& i) { i.index(); }
  {
    return at_.index();
  }
  void require_room(std::size_t count, const char* call, const site& where) const {
    view::require_room(at_, size_ - position_, call, where);
    require_among(number_, count, stepped_size(size_, step_), call, "strided view", where);
  }
  void require_same(const strided_iterator& other, const char* call, const site& where) const {
    view::require_same(at_, other.at_, call, where);
    if (step_ != other.step_ || size_ != other.size_) [[unlikely]] {
      throw_two_containers(call, "strided view", where);
    }
  }
  [[nodiscard]] std::uint64_t identity() const { return mix_bits(identity_at(at_) + step_); }
  [[nodiscard]] const team& members() const { return at_.members(); }
  static constexpr bool bases_tell_covered = tells_covered<I>::value;
  template <class F>
  void each_base(std::size_t count, F&& f) const {
    f(at_, span_of_steps(count, step_), step_);
  }
  [[nodiscard]] segment_walk<strided_iterator> segments(std::size_t count) const {
    return {*this, count};
  }
  [[nodiscard]] auto first_segment(std::size_t count) const {
    return strided_segment(view::first_segment(at_, span_of_steps(count, step_)), step_);
  }
  template <class F>
  void each_own_run(std::size_t count, F&& f) const {
    ranges::each_own_run_from(at_, span_of_steps(count, step_),
                              [&](std::size_t first, const auto& run) {
                                const auto size = static_cast<std::size_t>(std::ranges::size(run));
                                const std::size_t number = divide_up(first, step_);
                                const std::size_t skipped = number * step_ - first;
                                if (skipped >= size) return;
                                f(number, stepped(slice(run, skipped, size - skipped), step_));
                              });
  }

 private:
  I at_;
  std::size_t position_ = 0;
  std::size_t size_ = 0;
  std::size_t step_ = 1;
  std::size_t number_ = 0;
};

struct a_step_that_is_an_integer {
  template <class Step>
    requires(!std::integral<Step>)
  a_step_that_is_an_integer(const Step&) = delete;  // range | strided(2), or strided(range, 2)
};
}  // namespace view

namespace views {

/// Returns the elements 0, step, 2 step, … of a range.
/// @throws acre::error if `step` < 1 or exceeds std::ptrdiff_t
template <view::viewable R, std::integral Step>
[[nodiscard]] auto strided(R&& range, Step step, const site& where = site::current()) {
  const auto each = static_cast<std::size_t>(step);
  if (static_cast<std::ptrdiff_t>(each) < 1) [[unlikely]] {
    view::throw_no_stride(each, std::signed_integral<Step> && step != 0, where);
  }
  const auto size = static_cast<std::size_t>(std::ranges::size(range));
  return view::counted_from(
      view::strided_iterator(view::segmented_begin(std::forward<R>(range)), size, each),
      view::stepped_size(size, each));
}
template <std::integral Step>
[[nodiscard]] auto strided(Step step, const site& where = site::current()) {
  return view::range_adaptor{
      [=]<class R>(R&& range) { return strided(std::forward<R>(range), step, where); }};
}

void strided(view::a_step_that_is_an_integer);
template <std::ranges::range R, std::integral Step>
  requires(!view::viewable<R>)
view::refused_view<R> strided(R&&, Step) {
  return view::explain_view<R>();
}

}  // namespace views
}  // namespace acre
