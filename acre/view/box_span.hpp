// SPDX-License-Identifier: BSD-3-Clause
// Non-owning view of local memory as an N-dimensional box at any strides; trivially copyable,
// converts to std::mdspan.
#pragma once

#include <acre/base/checks.hpp>
#include <acre/base/site.hpp>
#include <acre/layout/box.hpp>

#include <concepts>
#include <cstddef>
#include <iterator>
#include <span>
#include <type_traits>
#include <version>

#ifdef __cpp_lib_mdspan
#include <mdspan>
#endif

namespace acre {

namespace view {

[[noreturn]] void throw_outside_box(const char* call, std::span<const std::size_t> at,
                                    std::span<const std::size_t> extents);
[[noreturn]] void throw_not_contiguous(const char* call);
[[noreturn]] void throw_box_outside(std::span<const std::size_t> first,
                                    std::span<const std::size_t> extents,
                                    std::span<const std::size_t> of, const site& where);

/// Compilers show the line of a deleted constructor.
struct an_index_for_each_dimension {
  template <std::convertible_to<std::ptrdiff_t> Index>
  an_index_for_each_dimension(const Index&) = delete;  // in two dimensions m(i, j) or m[{i, j}]
};
struct an_index_that_is_an_integer {
  template <class Index>
    requires(!std::convertible_to<Index, std::ptrdiff_t>)
  an_index_that_is_an_integer(const Index&) = delete;  // m(i, j) takes integers, as std::size_t
};

/// Rejects indices other than m(i, j) and m[{i, j}]; also m[i, j], which C++20 evaluates as m[j].
template <std::size_t N>
class other_indices {
 public:
  template <class... Rest>
    requires(sizeof...(Rest) + 1 != N)
  void operator()(an_index_for_each_dimension, const Rest&...) const;
  template <class... Rest>
    requires(sizeof...(Rest) + 1 == N)
  void operator()(an_index_that_is_an_integer, const Rest&...) const;
  void operator[](an_index_for_each_dimension) const;
  template <std::integral Index, std::size_t Given>
    requires(Given != N)
  an_index_for_each_dimension operator[](const Index (&)[Given]) const = delete;  // m[{i, j}]
};

}  // namespace view

/// N-dimensional box of T.
template <class T, std::size_t N>
  requires(N > 0)
class box_span {
 public:
  using element_type = T;
  using value_type = std::remove_cv_t<T>;
  using coordinates = layout::coordinates<N>;

  constexpr box_span() noexcept = default;
  /// @param strides  in elements
  constexpr box_span(T* data, const coordinates& extents, const coordinates& strides) noexcept
      : data_(data), extents_(extents), strides_(strides) {}
  /// Row-major, without gaps.
  constexpr box_span(T* data, const coordinates& extents) noexcept
      : box_span(data, extents, layout::row_major::strides<N>(extents)) {}
  template <class U>
    requires(!std::same_as<U, T> && std::convertible_to<U (*)[], T (*)[]>)
  constexpr box_span(const box_span<U, N>& other) noexcept
      : box_span(other.data(), other.extents(), other.strides()) {}

  [[nodiscard]] constexpr T* data() const noexcept { return data_; }
  [[nodiscard]] constexpr const coordinates& extents() const noexcept { return extents_; }
  [[nodiscard]] constexpr const coordinates& strides() const noexcept { return strides_; }
  [[nodiscard]] constexpr std::size_t extent(std::size_t d) const noexcept { return extents_[d]; }
  [[nodiscard]] constexpr std::size_t stride(std::size_t d) const noexcept { return strides_[d]; }
  [[nodiscard]] constexpr std::size_t size() const noexcept {
    return layout::box<N>{.extents = extents_}.size();
  }
  [[nodiscard]] constexpr bool empty() const noexcept { return size() == 0; }

  /// Returns an element. Checked in builds with ACRE_CHECKS.
  template <std::convertible_to<std::size_t>... Indices>
    requires(sizeof...(Indices) == N)
  [[nodiscard]] constexpr T& operator()(Indices... indices) const noexcept(!base::has_checks) {
    return (*this)[coordinates{static_cast<std::size_t>(indices)...}];
  }
  [[nodiscard]] constexpr T& operator[](const coordinates& at) const noexcept(!base::has_checks) {
    if constexpr (base::has_checks) {
      if (!layout::box<N>{.extents = extents_}.contains(at)) [[unlikely]] {
        view::throw_outside_box("box_span", at, extents_);
      }
    }
    return data_[offset_of(at)];
  }
  template <class... Rest>
    requires(sizeof...(Rest) + 1 != N)
  void operator()(view::an_index_for_each_dimension, const Rest&...) const;
  /// Box at `index` of the first dimension.
  [[nodiscard]] constexpr auto operator[](std::size_t index) const noexcept(!base::has_checks)
    requires(N > 1)
  {
    if constexpr (base::has_checks) check_first(index);
    layout::coordinates<N - 1> extents{};
    layout::coordinates<N - 1> strides{};
    for (std::size_t d = 1; d < N; ++d) {
      extents[d - 1] = extents_[d];
      strides[d - 1] = strides_[d];
    }
    return box_span<T, N - 1>(data_ + index * strides_[0], extents, strides);
  }
  [[nodiscard]] constexpr T& operator[](std::size_t index) const noexcept(!base::has_checks)
    requires(N == 1)
  {
    if constexpr (base::has_checks) check_first(index);
    return data_[index * strides_[0]];
  }
  /// Row of contiguous elements (checked with ACRE_CHECKS).
  [[nodiscard]] constexpr std::span<T> row(std::size_t index) const noexcept(!base::has_checks)
    requires(N == 2)
  {
    if constexpr (base::has_checks) {
      check_first(index);
      if (strides_[1] != 1 && extents_[1] > 1) [[unlikely]] {
        view::throw_not_contiguous("box_span::row");
      }
    }
    return {data_ + index * strides_[0], extents_[1]};
  }

  /// Sub-box. Checked in builds with ACRE_CHECKS.
  [[nodiscard]] constexpr box_span sub(const layout::box<N>& part) const
      noexcept(!base::has_checks) {
    if constexpr (base::has_checks) {
      if (!layout::box<N>{.extents = extents_}.contains(part)) [[unlikely]] {
        view::throw_outside_box("box_span::sub", part.first, extents_);
      }
    }
    return {data_ + offset_of(part.first), part.extents, strides_};
  }

  /// True if contiguous in row-major order.
  [[nodiscard]] constexpr bool is_contiguous() const noexcept {
    std::size_t stride = 1;
    for (std::size_t d = N; d-- > 0;) {
      if (extents_[d] != 1 && strides_[d] != stride) return empty();
      stride *= extents_[d];
    }
    return true;
  }
  /// All elements; requires is_contiguous().
  [[nodiscard]] constexpr std::span<T> flat() const noexcept(!base::has_checks) {
    if constexpr (base::has_checks) {
      if (!is_contiguous()) [[unlikely]] {
        view::throw_not_contiguous("box_span::flat");
      }
    }
    return {data_, size()};
  }

  /// Calls f(std::span) for each contiguous run.
  template <std::invocable<std::span<T>> F>
  constexpr void each_run(F&& f) const {
    if (empty()) return;
    if (is_contiguous()) {
      f(flat());
    } else if constexpr (N == 1) {
      for (std::size_t i = 0; i < extents_[0]; ++i) f(std::span<T>(data_ + i * strides_[0], 1));
    } else {
      for (std::size_t i = 0; i < extents_[0]; ++i) (*this)[i].each_run(f);
    }
  }

#ifdef __cpp_lib_mdspan
  constexpr operator std::mdspan<T, std::dextents<std::size_t, N>, std::layout_stride>() const {
    return {data_, {std::dextents<std::size_t, N>(extents_), strides_}};
  }
#endif

 private:
  [[nodiscard]] constexpr std::size_t offset_of(const coordinates& at) const noexcept {
    std::size_t offset = 0;
    for (std::size_t d = 0; d < N; ++d) offset += at[d] * strides_[d];
    return offset;
  }
  constexpr void check_first(std::size_t index) const {
    if (index >= extents_[0]) [[unlikely]] {
      view::throw_outside_box("box_span", {&index, 1}, {extents_.data(), 1});
    }
  }

  T* data_ = nullptr;
  coordinates extents_{};
  coordinates strides_{};
};

}  // namespace acre
