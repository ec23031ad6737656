// SPDX-License-Identifier: BSD-3-Clause
// Coordinates in several dimensions, boxes of them, and the orders in which a box is walked
// through.
//
//     constexpr acre::layout::box<2> inner{.first = {1, 1}, .extents = {6, 8}};
//     inner.size();                                             // 48
//     acre::layout::row_major::number<2>({2, 3}, {6, 8});       // 19: the third row's fourth
#pragma once

#include <acre/base/bits.hpp>

#include <array>
#include <concepts>
#include <cstddef>

namespace acre::layout {

/// One number a dimension. The last dimension is the one that rows run along.
template <std::size_t N>
using coordinates = std::array<std::size_t, N>;

/// All coordinates from `first` on, as many as `extents` in each dimension.
template <std::size_t N>
struct box {
  coordinates<N> first{};
  coordinates<N> extents{};

  /// The number of coordinates in it; it must not be larger than a std::size_t.
  [[nodiscard]] constexpr std::size_t size() const noexcept {
    std::size_t product = 1;
    for (const std::size_t extent : extents) product *= extent;
    return product;
  }
  [[nodiscard]] constexpr bool empty() const noexcept {
    for (const std::size_t extent : extents) {
      if (extent == 0) return true;
    }
    return false;
  }
  [[nodiscard]] constexpr bool contains(const coordinates<N>& at) const noexcept {
    for (std::size_t d = 0; d < N; ++d) {
      if (at[d] - first[d] >= extents[d]) return false;  // what lies before `first` wraps
    }
    return true;
  }
  /// Whether all of the other lies in it. An empty box lies in every one.
  [[nodiscard]] constexpr bool contains(const box& other) const noexcept {
    if (other.empty()) return true;
    for (std::size_t d = 0; d < N; ++d) {
      if (other.first[d] < first[d] || other.extents[d] > extents[d] ||
          other.first[d] - first[d] > extents[d] - other.extents[d]) {
        return false;
      }
    }
    return true;
  }

  friend constexpr bool operator==(const box&, const box&) noexcept = default;
};

/// What two boxes have in common; an empty one with no extents where that is nothing.
template <std::size_t N>
[[nodiscard]] constexpr box<N> intersection(const box<N>& a, const box<N>& b) noexcept {
  box<N> common;
  for (std::size_t d = 0; d < N; ++d) {
    const std::size_t first = larger(a.first[d], b.first[d]);
    const std::size_t end = smaller(a.first[d] + a.extents[d], b.first[d] + b.extents[d]);
    if (end <= first) return {};
    common.first[d] = first;
    common.extents[d] = end - first;
  }
  return common;
}

/// Walks through a box row by row: the last coordinate changes fastest, as in C.
struct row_major {
  /// Which one of a box with these extents the coordinates are.
  template <std::size_t N>
  [[nodiscard]] static constexpr std::size_t number(const coordinates<N>& at,
                                                    const coordinates<N>& extents) noexcept {
    std::size_t result = 0;
    for (std::size_t d = 0; d < N; ++d) result = result * extents[d] + at[d];
    return result;
  }
  /// The inverse. Cost: a division a dimension.
  template <std::size_t N>
  [[nodiscard]] static constexpr coordinates<N> at(std::size_t number,
                                                   const coordinates<N>& extents) noexcept {
    coordinates<N> result{};
    for (std::size_t d = N - 1; d > 0; --d) {
      result[d] = number % extents[d];
      number /= extents[d];
    }
    if constexpr (N > 0) result[0] = number;
    return result;
  }
  /// Goes to the next coordinates; from the last to the first.
  template <std::size_t N>
  static constexpr void advance(coordinates<N>& at, const coordinates<N>& extents) noexcept {
    for (std::size_t d = N; d > 0; --d) {
      if (++at[d - 1] != extents[d - 1]) return;
      at[d - 1] = 0;
    }
  }
  /// How far apart neighbours in each dimension are.
  template <std::size_t N>
  [[nodiscard]] static constexpr coordinates<N> strides(const coordinates<N>& extents) noexcept {
    coordinates<N> result{};
    std::size_t stride = 1;
    for (std::size_t d = N; d-- > 0;) {
      result[d] = stride;
      stride *= extents[d];
    }
    return result;
  }
};

/// Walks through a box column by column: the first coordinate changes fastest, as in Fortran.
struct column_major {
  template <std::size_t N>
  [[nodiscard]] static constexpr std::size_t number(const coordinates<N>& at,
                                                    const coordinates<N>& extents) noexcept {
    std::size_t result = 0;
    for (std::size_t d = N; d-- > 0;) result = result * extents[d] + at[d];
    return result;
  }
  template <std::size_t N>
  [[nodiscard]] static constexpr coordinates<N> at(std::size_t number,
                                                   const coordinates<N>& extents) noexcept {
    coordinates<N> result{};
    for (std::size_t d = 0; d + 1 < N; ++d) {
      result[d] = number % extents[d];
      number /= extents[d];
    }
    if constexpr (N > 0) result[N - 1] = number;
    return result;
  }
  template <std::size_t N>
  [[nodiscard]] static constexpr coordinates<N> strides(const coordinates<N>& extents) noexcept {
    coordinates<N> result{};
    std::size_t stride = 1;
    for (std::size_t d = 0; d < N; ++d) {
      result[d] = stride;
      stride *= extents[d];
    }
    return result;
  }
};

/// An order of the coordinates of a box.
template <class O>
concept order = std::same_as<O, row_major> || std::same_as<O, column_major>;

}  // namespace acre::layout
