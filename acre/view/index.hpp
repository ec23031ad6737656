// SPDX-License-Identifier: BSD-3-Clause
// Container indices of the elements of a view.
//
//     acre::views::index(a | std::views::drop(3) | acre::views::strided(2))     // 3, 5, 7, …
#pragma once

#include <acre/layout/box.hpp>
#include <acre/view/random_steps.hpp>
#include <acre/view/ranges.hpp>
#include <acre/view/segment_walk.hpp>

#include <compare>
#include <concepts>
#include <cstddef>
#include <iterator>
#include <ranges>
#include <type_traits>
#include <utility>

namespace acre {

namespace view {

template <class I>
concept indexed_iterator = std::random_access_iterator<I> && requires(const I& i) {
  { i.index() } -> std::same_as<std::size_t>;
};

template <indexed_iterator I>
class index_iterator : public random_steps<index_iterator<I>, std::size_t> {
 public:
  using iterator_category = std::input_iterator_tag;

  index_iterator() = default;
  explicit index_iterator(I at) : at_(std::move(at)) {}

  [[nodiscard]] std::size_t operator*() const { return at_.index(); }
  [[nodiscard]] std::size_t operator[](std::ptrdiff_t n) const { return *(*this + n); }
  index_iterator& operator+=(std::ptrdiff_t n) {
    at_ += n;
    return *this;
  }
  friend std::ptrdiff_t operator-(const index_iterator& a, const index_iterator& b) {
    return a.at_ - b.at_;
  }
  friend bool operator==(const index_iterator& a, const index_iterator& b) {
    return a.at_ == b.at_;
  }
  friend auto operator<=>(const index_iterator& a, const index_iterator& b) {
    return a.at_ <=> b.at_;
  }

 private:
  I at_;
};

template <class R>
concept indexed_range = ranges::distributed_range<R> && std::ranges::borrowed_range<R> &&
                        indexed_iterator<std::ranges::iterator_t<R>>;

}  // namespace view

namespace views {

/// Returns the indices in the container (row-major numbers in several dimensions); equal on all
/// ranks.
template <view::indexed_range R>
[[nodiscard]] auto index(R&& range) {
  return view::counted_from(view::index_iterator(std::ranges::begin(range)),
                            static_cast<std::size_t>(std::ranges::size(range)));
}

}  // namespace views

/// Smallest interval of indices that contains a view, whose indices must ascend. For
/// boxes of matrices: array/matrix_view.hpp.
template <view::indexed_range R>
  requires(!requires { std::remove_cvref_t<R>::dimensions; })
[[nodiscard]] layout::box<1> domain(R&& range) {
  const auto size = static_cast<std::ptrdiff_t>(std::ranges::size(range));
  const auto begin = std::ranges::begin(range);
  if (size == 0) return {};
  const std::size_t first = begin.index();
  return {.first = {first}, .extents = {(begin + (size - 1)).index() - first + 1}};
}

}  // namespace acre
