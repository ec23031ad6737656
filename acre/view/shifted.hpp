// SPDX-License-Identifier: BSD-3-Clause
// Rotated view of a range, as std::rotate without moves.
//
//     acre::transform(a, a | acre::views::shift(1), differences, std::minus<>());   // cyclic
#pragma once

#include <acre/base/bits.hpp>
#include <acre/view/covered_elements.hpp>
#include <acre/view/random_steps.hpp>
#include <acre/view/range_faults.hpp>
#include <acre/view/ranges.hpp>
#include <acre/view/segment_walk.hpp>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <ranges>
#include <utility>

namespace acre {

namespace view {

template <ranges::segmented_iterator I>
class shift_iterator
    : public numbered_steps<shift_iterator<I>, std::iter_value_t<I>, std::iter_reference_t<I>> {
 public:
  shift_iterator() = default;
  /// @param by  < `size`, or 0 if empty
  shift_iterator(I first, std::size_t size, std::size_t by)
      : at_(std::move(first)), size_(size), by_(by) {
    at_ += static_cast<std::ptrdiff_t>(by);
  }

  [[nodiscard]] std::iter_reference_t<I> operator*() const { return *at_; }
  [[nodiscard]] std::iter_reference_t<I> operator[](std::ptrdiff_t n) const { return *(*this + n); }
  shift_iterator& operator+=(std::ptrdiff_t n) {
    const std::size_t before = place();
    number_ += static_cast<std::size_t>(n);
    at_ += static_cast<std::ptrdiff_t>(place() - before);
    return *this;
  }
  [[nodiscard]] std::size_t number() const noexcept { return number_; }

  [[nodiscard]] std::size_t index() const
    requires requires(const I& i) { i.index(); }
  {
    if (number_ < size_) return at_.index();
    return (begin_of_base() + static_cast<std::ptrdiff_t>(size_)).index();
  }
  void require_room(std::size_t count, const char* call, const site& where) const {
    if (size_ != 0) view::require_room(begin_of_base(), size_, call, where);
    require_among(number_, count, size_, call, "shifted view", where);
  }
  void require_same(const shift_iterator& other, const char* call, const site& where) const {
    view::require_same(at_, other.at_, call, where);
    if (by_ != other.by_ || size_ != other.size_) [[unlikely]] {
      throw_two_containers(call, "shifted view", where);
    }
  }
  [[nodiscard]] std::uint64_t identity() const { return mix_bits(identity_at(at_) + by_); }
  [[nodiscard]] const team& members() const { return at_.members(); }
  static constexpr bool bases_tell_covered = tells_covered<I>::value;
  template <class F>
  void each_base(std::size_t count, F&& f) const {
    if (count != 0) f(begin_of_base(), size_, std::size_t{0});
  }
  [[nodiscard]] segment_walk<shift_iterator> segments(std::size_t count) const {
    return {*this, count};
  }
  [[nodiscard]] auto first_segment(std::size_t count) const {
    return view::first_segment(at_, smaller(count, size_ - place()));
  }
  template <class F>
  void each_own_run(std::size_t count, F&& f) const {
    const std::size_t to_end = smaller(count, size_ - place());
    if (to_end != 0) ranges::each_own_run_from(at_, to_end, f);
    if (to_end == count) return;
    ranges::each_own_run_from(begin_of_base(), count - to_end,
                              [&](std::size_t index, const auto& run) { f(index + to_end, run); });
  }
  template <class F>
  void each_own(std::size_t count, F&& f) const {
    if (count == size_) {
      ranges::each_own_from(begin_of_base(), count, f);
    } else {
      each_own_run(count, [&](std::size_t, const auto& run) { f(run); });
    }
  }

 private:
  [[nodiscard]] std::size_t place() const noexcept {
    const std::size_t to_end = size_ - by_;
    return number_ < to_end ? number_ + by_ : number_ - to_end;
  }
  [[nodiscard]] I begin_of_base() const { return at_ - static_cast<std::ptrdiff_t>(place()); }

  I at_;
  std::size_t size_ = 0;
  std::size_t by_ = 0;
  std::size_t number_ = 0;
};

}  // namespace view

namespace views {

/// Returns the elements from number `by` (modulo the size) on, then those before it. A negative
/// `by` counts from the end.
template <view::viewable R>
[[nodiscard]] auto shift(R&& range, std::ptrdiff_t by) {
  const auto size = static_cast<std::ptrdiff_t>(std::ranges::size(range));
  const std::ptrdiff_t rest = size == 0 ? 0 : by % size;
  const auto all = static_cast<std::size_t>(size);
  return view::counted_from(
      view::shift_iterator(view::segmented_begin(std::forward<R>(range)), all,
                           static_cast<std::size_t>(rest < 0 ? rest + size : rest)),
      all);
}
[[nodiscard]] inline auto shift(std::ptrdiff_t by) {
  return view::range_adaptor{
      [by]<class R>(R&& range) { return shift(std::forward<R>(range), by); }};
}

template <std::ranges::range R>
  requires(!view::viewable<R>)
view::refused_view<R> shift(R&&, std::ptrdiff_t) {
  return view::explain_view<R>();
}

}  // namespace views
}  // namespace acre
