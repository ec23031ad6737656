// SPDX-License-Identifier: BSD-3-Clause
// Exact sums of runs.
#pragma once

#include <acre/base/reproducible_sum.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <optional>
#include <ranges>
#include <span>

namespace acre::algorithm {

struct itself {
  [[nodiscard]] constexpr const auto& operator()(const auto& element) const noexcept {
    return element;
  }
};

/// Adds f(element). Stores prevent fusing f's last multiplication with an addition.
template <class T, class Run, class F>
void add_elements(const Run& elements, const F& f, reproducible_sum<T>& sum) {
  if constexpr (std::ranges::contiguous_range<const Run> && std::same_as<F, itself> &&
                std::same_as<std::ranges::range_value_t<const Run>, T>) {
    sum.add(std::span<const T>(std::ranges::data(elements), std::ranges::size(elements)));
  } else {
    base::block_addition<T> blocks(sum);
    std::array<T, 1024> block;
    std::size_t count = 0;
    for (auto&& element : elements) {
      block[count++] = static_cast<T>(f(element));
      if (count < block.size()) continue;
      blocks.add(std::span<const T>(block));
      count = 0;
    }
    blocks.add(std::span<const T>(block).first(count));
  }
}

template <class T>
[[nodiscard]] T rounded(const reproducible_sum<T>& sum) noexcept {
  return sum.value();
}
template <class T>
[[nodiscard]] std::optional<T> rounded(const std::optional<reproducible_sum<T>>& sum) noexcept {
  if (!sum) return std::nullopt;
  return sum->value();
}

}  // namespace acre::algorithm
