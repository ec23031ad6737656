// SPDX-License-Identifier: BSD-3-Clause
// Segments, plain iterators and adaptors shared by all views.
#pragma once

#include <acre/base/bits.hpp>
#include <acre/base/site.hpp>
#include <acre/view/call_ranges.hpp>
#include <acre/view/random_steps.hpp>
#include <acre/view/ranges.hpp>

#include <cstddef>
#include <iterator>
#include <ranges>
#include <type_traits>
#include <utility>

namespace acre::view {

template <class R>
[[nodiscard]] constexpr auto slice(const R& range, std::size_t first, std::size_t count) {
  if constexpr (requires { range.subspan(first, count); }) {
    return range.subspan(first, count);
  } else {
    const auto begin = std::ranges::begin(range) + static_cast<std::ptrdiff_t>(first);
    return std::ranges::subrange(begin, begin + static_cast<std::ptrdiff_t>(count));
  }
}

/// Iterator for local loops; a pointer for contiguous ranges.
template <class R>
[[nodiscard]] constexpr auto plain_begin(const R& range) {
  if constexpr (std::ranges::contiguous_range<const R>) {
    return std::ranges::data(range);
  } else {
    return std::ranges::begin(range);
  }
}

template <ranges::segmented_iterator I>
[[nodiscard]] auto first_segment(const I& at, std::size_t count) {
  if constexpr (requires { at.first_segment(count); }) {
    return at.first_segment(count);
  } else {
    const auto all = at.segments(count);
    return *std::ranges::begin(all);
  }
}

/// Range of the segments of `count` elements; calls first_segment() for each.
template <class I>
class segment_walk {
 public:
  class iterator {
   public:
    using value_type = decltype(std::declval<const I&>().first_segment(1));
    using difference_type = std::ptrdiff_t;
    using iterator_concept = std::forward_iterator_tag;

    iterator() = default;
    iterator(const I& at, std::size_t rest) : at_(at), rest_(rest) {}

    [[nodiscard]] value_type operator*() const { return at_.first_segment(rest_); }
    iterator& operator++() {
      const auto passed = static_cast<std::size_t>(std::ranges::size(**this));
      rest_ -= passed;
      at_ += static_cast<std::ptrdiff_t>(passed);
      return *this;
    }
    iterator operator++(int) {
      const iterator before = *this;
      ++*this;
      return before;
    }
    friend bool operator==(const iterator& a, const iterator& b) noexcept {
      return a.rest_ == b.rest_;
    }

   private:
    I at_;
    std::size_t rest_ = 0;
  };

  segment_walk(const I& first, std::size_t count) : first_(first), count_(count) {}
  [[nodiscard]] iterator begin() const { return {first_, count_}; }
  [[nodiscard]] iterator end() const { return {first_, 0}; }

 private:
  I first_;
  std::size_t count_;
};

/// Segmented iterator over a range of plain iterators. Finding a segment walks over all before it.
template <class R>
class iterator_over : public numbered_steps<iterator_over<R>, std::ranges::range_value_t<R>,
                                            std::ranges::range_reference_t<R>> {
  using element = std::ranges::range_reference_t<R>;

 public:
  iterator_over() = default;
  iterator_over(R* range, std::size_t index) noexcept : range_(range), index_(index) {}

  [[nodiscard]] element operator*() const {
    return std::ranges::begin(*range_)[static_cast<std::ptrdiff_t>(index_)];
  }
  [[nodiscard]] element operator[](std::ptrdiff_t n) const { return *(*this + n); }
  iterator_over& operator+=(std::ptrdiff_t n) noexcept {
    index_ += static_cast<std::size_t>(n);
    return *this;
  }

  [[nodiscard]] std::size_t index() const noexcept { return index_; }
  [[nodiscard]] std::size_t number() const noexcept { return index_; }
  void require_room(std::size_t count, const char* call, const site& where) const {
    const std::size_t size =
        range_ == nullptr ? 0 : static_cast<std::size_t>(std::ranges::size(*range_));
    require_among(index_, count, size, call, "range", where);
  }
  void require_same(const iterator_over& other, const char* call, const site& where) const {
    if (range_ != other.range_) [[unlikely]] {
      throw_two_containers(call, "range", where);
    }
  }
  [[nodiscard]] const team& members() const {
    return ranges::members(require_container(range_, "range"));
  }
  [[nodiscard]] segment_walk<iterator_over> segments(std::size_t count) const {
    return {*this, count};
  }
  [[nodiscard]] auto first_segment(std::size_t count) const {
    std::size_t first = 0;
    for (const auto& each : ranges::segments(*range_)) {
      const auto size = static_cast<std::size_t>(std::ranges::size(each));
      if (index_ < first + size) {
        const std::size_t skipped = index_ - first;
        return slice(each, skipped, smaller(count, size - skipped));
      }
      first += size;
    }
    __builtin_unreachable();
  }
  template <class F>
  void each_own_run(std::size_t count, F&& f) const {
    std::size_t first = 0;
    for (const auto& each : ranges::segments(*range_)) {
      const auto size = static_cast<std::size_t>(std::ranges::size(each));
      const std::size_t from = larger(first, index_);
      const std::size_t to = smaller(first + size, index_ + count);
      if (from < to && ranges::rank(each) == acre::rank()) {
        f(from - index_, ranges::local(slice(each, from - first, to - from)));
      }
      first += size;
    }
  }

 private:
  R* range_ = nullptr;
  std::size_t index_ = 0;
};

/// Range that views accept; borrowed, because they store its iterators.
template <class R>
concept viewable = ranges::distributed_range<R> && std::ranges::borrowed_range<R>;

/// Result of a rejected call; a range, so that pipelines report one error.
template <class R>
using refused_view = std::ranges::subrange<std::ranges::iterator_t<R>>;

template <std::ranges::range R>
refused_view<R> explain_view() {
  constexpr bool is_distributed = ranges::distributed_range<R>;
  constexpr bool has_name = !is_distributed || std::ranges::borrowed_range<R>;
  static_assert(is_distributed,
                "acre::views require a distributed range or another of acre::views: use std::views "
                "for memory of this rank");
  static_assert(has_name, "a temporary is destroyed before its view is used: name the range");
  __builtin_unreachable();
}

/// Segmented iterator to the first element. The range must outlive the view and must not
/// move.
template <viewable R>
[[nodiscard]] auto segmented_begin(R&& range) {
  if constexpr (ranges::segmented_iterator<std::ranges::iterator_t<R>>) {
    return std::ranges::begin(range);
  } else {
    static_assert(std::is_lvalue_reference_v<R>,
                  "a range whose iterators lack segments() must be an lvalue: name the range");
    return iterator_over<std::remove_reference_t<R>>(&range, 0);
  }
}

template <class I>
[[nodiscard]] constexpr std::ranges::subrange<I> counted_from(const I& first, std::size_t count) {
  return {first, first + static_cast<std::ptrdiff_t>(count)};
}

/// For `range | adaptor`.
template <class Make>
struct range_adaptor {
  Make make;

  template <viewable R>
  [[nodiscard]] friend decltype(auto) operator|(R&& range, const range_adaptor& adaptor) {
    return adaptor.make(std::forward<R>(range));
  }
  template <std::ranges::range R>
    requires(!viewable<R>)
  friend refused_view<R> operator|(R&&, const range_adaptor&) {
    return explain_view<R>();
  }
};
template <class Make>
range_adaptor(Make) -> range_adaptor<Make>;

}  // namespace acre::view
