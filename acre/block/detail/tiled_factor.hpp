// SPDX-License-Identifier: BSD-3-Clause
// Factor with outer indices (a's rows, b's columns) in tiles; a tile's blocks are sorted by inner
// index, so one merge multiplies two tiles. A tile of c stays in cache.
#pragma once

#include <acre/base/large_vector.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace acre::block_matrices {

template <class T>
struct factor_block {
  std::uint32_t outer;
  std::uint32_t inner;
  double norm;
  const T* values;
};

template <class T>
using factor_blocks = base::large_vector<factor_block<T>>;

/// Stable sort by keys < `keys`. Linear.
template <class Items, class Key>
void counting_sort(Items& items, std::size_t keys, Key&& key) {
  std::vector<std::size_t> places(keys + 1);
  for (const auto& each : items) ++places[key(each) + 1];
  for (std::size_t i = 1; i <= keys; ++i) places[i] += places[i - 1];
  Items sorted(items.size());
  for (const auto& each : items) sorted[places[key(each)]++] = each;
  items.swap(sorted);
}

template <class T>
class tiled_factor {
 public:
  struct line {
    std::uint32_t inner;
    std::uint32_t first;
    std::uint32_t last;
  };

  tiled_factor(factor_blocks<T> blocks, std::size_t outers, std::size_t inners, std::size_t tile)
      : blocks_(std::move(blocks)), outers_(outers), tile_(tile) {
    const std::size_t tiles = (outers + tile - 1) / tile;
    counting_sort(blocks_, outers, [](const factor_block<T>& each) { return each.outer; });
    counting_sort(blocks_, inners, [](const factor_block<T>& each) { return each.inner; });
    counting_sort(blocks_, tiles,
                  [tile](const factor_block<T>& each) { return each.outer / tile; });
    find_lines(tiles);
  }

  /// Sorts the blocks of each line by descending norm, NaN first, so products above the filter
  /// precede the others.
  void sort_by_norm() {
    const auto size = [](const factor_block<T>& each) {
      return std::isnan(each.norm) ? std::numeric_limits<double>::infinity() : each.norm;
    };
    for (const line& each : lines_) {
      std::ranges::sort(std::span(blocks_).subspan(each.first, each.last - each.first),
                        std::greater<>(), size);
    }
  }

  [[nodiscard]] std::span<const factor_block<T>> blocks() const noexcept { return blocks_; }
  [[nodiscard]] std::size_t tiles() const noexcept { return begins_.size() - 1; }
  [[nodiscard]] std::size_t begin_of(std::size_t tile) const noexcept {
    return tile < tiles() ? tile * tile_ : outers_;
  }
  [[nodiscard]] std::size_t tile_size() const noexcept { return tile_; }
  [[nodiscard]] std::span<const line> lines(std::size_t tile) const noexcept {
    return {lines_.data() + begins_[tile], begins_[tile + 1] - begins_[tile]};
  }
  [[nodiscard]] std::span<const factor_block<T>> blocks_of(const line& which) const noexcept {
    return {blocks_.data() + which.first, which.last - which.first};
  }

 private:
  void find_lines(std::size_t tiles) {
    begins_.push_back(0);
    std::uint32_t i = 0;
    for (std::size_t tile = 0; tile < tiles; ++tile) {
      while (i < blocks_.size() && blocks_[i].outer / tile_ == tile) {
        const std::uint32_t first = i;
        while (i < blocks_.size() && blocks_[i].outer / tile_ == tile &&
               blocks_[i].inner == blocks_[first].inner) {
          ++i;
        }
        lines_.push_back({blocks_[first].inner, first, i});
      }
      begins_.push_back(lines_.size());
    }
  }

  factor_blocks<T> blocks_;
  std::size_t outers_;
  std::size_t tile_;
  std::vector<line> lines_;
  std::vector<std::size_t> begins_;
};

/// Calls f(blocks of a, blocks of b) for common inner indices, until false.
template <class T, class F>
void each_inner(const tiled_factor<T>& a, std::size_t row_tile, const tiled_factor<T>& b,
                std::size_t column_tile, F&& f) {
  const auto of_a = a.lines(row_tile);
  const auto of_b = b.lines(column_tile);
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < of_a.size() && j < of_b.size()) {
    if (of_a[i].inner < of_b[j].inner) {
      ++i;
    } else if (of_b[j].inner < of_a[i].inner) {
      ++j;
    } else if (!f(a.blocks_of(of_a[i++]), b.blocks_of(of_b[j++]))) {
      return;
    }
  }
}

/// NaN passes. With sorted norms, stop at the first failure.
template <class T>
[[nodiscard]] bool passes(const factor_block<T>& left, const factor_block<T>& right,
                          double filter) noexcept {
  return !(left.norm * right.norm < filter);
}

}  // namespace acre::block_matrices
