// SPDX-License-Identifier: BSD-3-Clause
// Index boxes, and their traversal by rows or columns.
#pragma once

#include <acre/base/bits.hpp>

#include <array>
#include <concepts>
#include <cstddef>

namespace acre::layout {

template <std::size_t N>
using coordinates = std::array<std::size_t, N>;

/// Index box: `extents` coordinates from `first` on.
template <std::size_t N>
struct box {
  coordinates<N> first{};
  coordinates<N> extents{};

  /// Number of coordinates; must fit a std::size_t.
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
      if (at[d] - first[d] >= extents[d]) return false;
    }
    return true;
  }
  /// Every box contains an empty one.
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

/// Traversal by rows: the last coordinate changes fastest, as in C.
struct row_major {
  /// Linear index of `at`.
  template <std::size_t N>
  [[nodiscard]] static constexpr std::size_t number(const coordinates<N>& at,
                                                    const coordinates<N>& extents) noexcept {
    std::size_t result = 0;
    for (std::size_t d = 0; d < N; ++d) result = result * extents[d] + at[d];
    return result;
  }
  /// Inverse of number(). Cost: a division per dimension.
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
  /// Moves to the next coordinates, from the last to the first.
  template <std::size_t N>
  static constexpr void advance(coordinates<N>& at, const coordinates<N>& extents) noexcept {
    for (std::size_t d = N; d > 0; --d) {
      if (++at[d - 1] != extents[d - 1]) return;
      at[d - 1] = 0;
    }
  }
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

/// Traversal by columns: the first coordinate changes fastest, as in Fortran.
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

template <class O>
concept order = std::same_as<O, row_major> || std::same_as<O, column_major>;

}  // namespace acre::layout
