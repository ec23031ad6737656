// SPDX-License-Identifier: BSD-3-Clause
// Read-only view of f(element), computed on each access, as std::views::transform does not expose
// its function.
#pragma once

#include <acre/base/bits.hpp>
#include <acre/base/invoke.hpp>
#include <acre/view/covered_elements.hpp>
#include <acre/view/random_steps.hpp>
#include <acre/view/ranges.hpp>
#include <acre/view/segment_walk.hpp>

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <ranges>
#include <type_traits>
#include <utility>

namespace acre {

namespace view {

/// Function that is assignable even if it is a lambda with captures.
template <class F>
class kept_function {
 public:
  constexpr kept_function() = default;
  constexpr explicit kept_function(F f) : f_(std::move(f)) {}
  constexpr kept_function(const kept_function&) = default;
  constexpr kept_function& operator=(const kept_function& other) {
    if (this != &other) {
      f_.reset();
      if (other.f_) f_.emplace(*other.f_);
    }
    return *this;
  }
  [[nodiscard]] constexpr const F& operator*() const noexcept { return *f_; }

 private:
  std::optional<F> f_;
};
template <std::semiregular F>
class kept_function<F> {
 public:
  constexpr kept_function() = default;
  constexpr explicit kept_function(F f) : f_(std::move(f)) {}
  [[nodiscard]] constexpr const F& operator*() const noexcept { return f_; }

 private:
  [[no_unique_address]] F f_{};
};

template <class T, class F>
using transformed_value = std::remove_cvref_t<std::invoke_result_t<const F&, const T&>>;

/// Holds the function, so it may outlive its view.
template <std::random_access_iterator I, class F>
class transform_iterator
    : public random_steps<transform_iterator<I, F>, transformed_value<std::iter_value_t<I>, F>> {
  using source = std::iter_value_t<I>;

 public:
  using value_type = transformed_value<source, F>;
  using iterator_category = std::input_iterator_tag;

  constexpr transform_iterator() = default;
  constexpr transform_iterator(I at, kept_function<F> f) : at_(std::move(at)), f_(std::move(f)) {}

  [[nodiscard]] constexpr value_type operator*() const {
    const source& element = *at_;
    return static_cast<value_type>(base::invoke(*f_, element));
  }
  [[nodiscard]] constexpr value_type operator[](std::ptrdiff_t n) const { return *(*this + n); }
  constexpr transform_iterator& operator+=(std::ptrdiff_t n) {
    at_ += n;
    return *this;
  }
  friend constexpr std::ptrdiff_t operator-(const transform_iterator& a,
                                            const transform_iterator& b) {
    return static_cast<std::ptrdiff_t>(a.at_ - b.at_);
  }
  friend constexpr bool operator==(const transform_iterator& a, const transform_iterator& b) {
    return a.at_ == b.at_;
  }
  friend constexpr auto operator<=>(const transform_iterator& a, const transform_iterator& b) {
    return a.at_ <=> b.at_;
  }

  [[nodiscard]] constexpr const I& base() const noexcept { return at_; }
  [[nodiscard]] std::size_t index() const
    requires requires(const I& i) { i.index(); }
  {
    return at_.index();
  }
  void require_room(std::size_t count, const char* call, const site& where) const {
    view::require_room(at_, count, call, where);
  }
  void require_same(const transform_iterator& other, const char* call, const site& where) const {
    view::require_same(at_, other.at_, call, where);
  }
  [[nodiscard]] std::uint64_t identity() const { return mix_bits(identity_at(at_)); }
  [[nodiscard]] const team& members() const
    requires ranges::segmented_iterator<I>
  {
    return at_.members();
  }
  [[nodiscard]] auto extents_of(std::size_t count) const
    requires requires(const I& i) { i.extents_of(count); }
  {
    return at_.extents_of(count);
  }
  static constexpr bool bases_tell_covered = tells_covered<I>::value;
  template <class Call>
  void each_base(std::size_t count, Call&& call) const {
    call(at_, count, std::size_t{1});
  }
  [[nodiscard]] segment_walk<transform_iterator> segments(std::size_t count) const
    requires ranges::segmented_iterator<I>
  {
    return {*this, count};
  }
  [[nodiscard]] auto first_segment(std::size_t count) const
    requires ranges::segmented_iterator<I>;
  template <class Call>
  void each_own_run(std::size_t count, Call&& call) const
    requires ranges::segmented_iterator<I>;
  template <class Call>
  void each_own(std::size_t count, Call&& call) const
    requires ranges::segmented_iterator<I>;

 private:
  I at_{};
  [[no_unique_address]] kept_function<F> f_{};
};

template <class R, class F>
[[nodiscard]] constexpr auto transformed(const R& range, const kept_function<F>& f) {
  return counted_from(transform_iterator(plain_begin(range), f),
                      static_cast<std::size_t>(std::ranges::size(range)));
}

template <class S, class F>
class transform_segment {
 public:
  transform_segment(const S& base, const kept_function<F>& f) : base_(base), f_(f) {}

  [[nodiscard]] rank_t rank() const { return ranges::rank(base_); }
  [[nodiscard]] std::size_t size() const {
    return static_cast<std::size_t>(std::ranges::size(base_));
  }
  [[nodiscard]] auto begin() const { return transform_iterator(std::ranges::begin(base_), f_); }
  [[nodiscard]] auto end() const { return begin() + static_cast<std::ptrdiff_t>(size()); }
  [[nodiscard]] auto local() const { return transformed(ranges::local(base_), f_); }
  [[nodiscard]] transform_segment subspan(std::size_t first, std::size_t count) const {
    return {slice(base_, first, count), f_};
  }

  [[nodiscard]] const S& base() const noexcept { return base_; }
  [[nodiscard]] const kept_function<F>& function() const noexcept { return f_; }

 private:
  S base_;
  [[no_unique_address]] kept_function<F> f_;
};

template <std::random_access_iterator I, class F>
auto transform_iterator<I, F>::first_segment(std::size_t count) const
  requires ranges::segmented_iterator<I>
{
  return transform_segment(view::first_segment(at_, count), f_);
}
template <std::random_access_iterator I, class F>
template <class Call>
void transform_iterator<I, F>::each_own_run(std::size_t count, Call&& call) const
  requires ranges::segmented_iterator<I>
{
  ranges::each_own_run_from(
      at_, count, [&](std::size_t index, const auto& run) { call(index, transformed(run, f_)); });
}
template <std::random_access_iterator I, class F>
template <class Call>
void transform_iterator<I, F>::each_own(std::size_t count, Call&& call) const
  requires ranges::segmented_iterator<I>
{
  ranges::each_own_from(at_, count, [&](const auto& run) { call(transformed(run, f_)); });
}

}  // namespace view

namespace views {

/// Returns f(element) of each element; holds copies of `f`.
template <view::viewable R, std::copy_constructible F>
  requires std::regular_invocable<const F&, const ranges::value_of<R>&>
[[nodiscard]] auto transform(R&& range, F f) {
  const auto size = static_cast<std::size_t>(std::ranges::size(range));
  return view::counted_from(view::transform_iterator(view::segmented_begin(std::forward<R>(range)),
                                                     view::kept_function<F>(std::move(f))),
                            size);
}
template <std::ranges::range R, class F>
  requires(!view::viewable<R>)
view::refused_view<R> transform(R&&, const F&) {
  return view::explain_view<R>();
}
template <view::viewable R, class F>
  requires(!std::regular_invocable<const F&, const ranges::value_of<R>&>)
view::refused_view<R> transform(R&&, const F&) {
  constexpr bool takes_elements = std::regular_invocable<const F&, const ranges::value_of<R>&>;
  static_assert(takes_elements,
                "pass a const function of an element: [](const T& x) { return ...; }");
  __builtin_unreachable();
}
template <std::copy_constructible F>
[[nodiscard]] auto transform(F f) {
  return view::range_adaptor{[f = std::move(f)]<class R>(R&& range) {
    return views::transform(std::forward<R>(range), f);
  }};
}

}  // namespace views
}  // namespace acre
