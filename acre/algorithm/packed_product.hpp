// SPDX-License-Identifier: BSD-3-Clause
// Product of packed matrices, c = a b, in tiles of c that stay in the second-level cache.
//
// K. Goto, R. van de Geijn, "Anatomy of high-performance matrix multiplication" (2008), but with a
// tile of c, not a panel of a, in that cache.
#pragma once

#include <acre/algorithm/packed_pieces.hpp>
#include <acre/base/cache_bytes.hpp>
#include <acre/base/scratch.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace acre::algorithm {

/// Part of the inner dimension. First: c holds no sums yet. Last: they are complete.
struct inner_turn {
  bool is_first;
  bool is_last;
};

/// @tparam Kernel  kernel(a, b, c, next a, next b) computes c += a b, and prefetches the next
/// pieces
template <class T, class Kernel>
class packed_product {
 public:
  static constexpr std::size_t usual_memory = std::size_t{128} << 20;

  packed_product(std::size_t rows, std::size_t columns, std::size_t inner)
      : rows_(rows), columns_(columns), inner_(inner) {
    const auto sizes = [](const piece_cut& cut) {
      return std::array{std::min(piece_cut::side, cut.extent()), last_size(cut)};
    };
    for (std::size_t i = 0; i < kernels_.size(); ++i) {
      kernels_[i] = Kernel(static_cast<std::uint32_t>(sizes(rows_)[i & 1]),
                           static_cast<std::uint32_t>(sizes(columns_)[i >> 1 & 1]),
                           static_cast<std::uint32_t>(sizes(inner_)[i >> 2 & 1]));
    }
  }

  /// @param pack_left, pack_right  (piece_grid): copies its part of a or b
  /// @param begin  (tile, turn): initialises a tile of c
  /// @param end    (tile, turn): receives its sums, after the adjacent tiles above and left
  /// @param memory  bytes for pieces of a, at least one tile; b and c add one tile each
  template <class PackLeft, class PackRight, class Begin, class End>
  void run(PackLeft&& pack_left, PackRight&& pack_right, Begin&& begin, End&& end,
           std::size_t memory = usual_memory) const {
    run_part(piece_run(rows_), piece_run(columns_), pack_left, pack_right, begin, end, memory);
  }
  /// Only these pieces of c. Several threads may run different parts.
  template <class PackLeft, class PackRight, class Begin, class End>
  void run_part(const piece_run& part_rows, const piece_run& part_columns, PackLeft&& pack_left,
                PackRight&& pack_right, Begin&& begin, End&& end, std::size_t memory) const {
    const std::size_t tile = tile_side();
    const std::size_t inners = std::min(inner_.count(), most_inner);
    const std::size_t tiles = std::max<std::size_t>(1, memory / (tile * inners * piece_bytes));
    const std::size_t height = part_rows.size();
    const std::size_t width = part_columns.size();
    const base::scratch<T> left(std::min(height, tiles * tile) * inners * elements_each);
    const base::scratch<T> right(std::min(width, tile) * inners * elements_each);
    const base::scratch<T> sums(std::min(height, tile) * std::min(width, tile) * elements_each);
    piece_run(inner_).each_part(inners, [&](const piece_run& inner) {
      const inner_turn turn{.is_first = inner.first() == 0,
                            .is_last = inner.last() == inner_.count()};
      part_rows.each_part(tiles * tile, [&](const piece_run& rows) {
        const auto each_left = [&](auto&& f) {
          T* at = left.get();
          rows.each_part(tile, [&](const piece_run& of_tile) {
            const piece_grid<T> a(at, of_tile, inner, piece_order::by_columns);
            f(a);
            at += a.size();
          });
        };
        each_left(pack_left);
        part_columns.each_part(tile, [&](const piece_run& columns) {
          const piece_grid<T> b(right.get(), inner, columns, piece_order::by_rows);
          pack_right(b);
          each_left([&](const piece_grid<T>& a) {
            const piece_grid<T> c(sums.get(), a.rows(), columns, piece_order::by_rows);
            begin(c, turn);
            multiply(a, b, c);
            end(c, turn);
          });
        });
      });
    });
  }

 private:
  static constexpr std::size_t elements_each = piece_grid<T>::piece_elements;
  static constexpr std::size_t piece_bytes = elements_each * sizeof(T);
  static constexpr std::size_t most_inner = 100;

  [[nodiscard]] static std::size_t last_size(const piece_cut& cut) noexcept {
    return cut.size_of(cut.count() - 1);
  }
  [[nodiscard]] static std::size_t tile_side() {
    static const double second = static_cast<double>(base::cache_bytes(2));
    const double side = std::round(std::sqrt(second * 5 / 8 / double{piece_bytes}));
    return static_cast<std::size_t>(std::clamp(side, 2.0, 12.0));
  }
  [[nodiscard]] const Kernel& kernel(std::size_t row, std::size_t column, std::size_t inner) const {
    return kernels_[static_cast<std::size_t>(row + 1 == rows_.count()) +
                    2 * static_cast<std::size_t>(column + 1 == columns_.count()) +
                    4 * static_cast<std::size_t>(inner + 1 == inner_.count())];
  }

  void multiply(const piece_grid<T>& a, const piece_grid<T>& b, const piece_grid<T>& c) const {
    for (std::size_t k = b.rows().first(); k < b.rows().last(); ++k) {
      for (std::size_t i = c.rows().first(); i < c.rows().last(); ++i) {
        const T* const left = a.piece(i, k);
        for (std::size_t j = c.columns().first(); j < c.columns().last(); ++j) {
          const T* const right = b.piece(k, j);
          const bool ends_row = j + 1 == c.columns().last();
          kernel(i, j, k)(left, right, c.piece(i, j), ends_row ? left + elements_each : left,
                          right + elements_each);
        }
      }
    }
  }

  piece_cut rows_;
  piece_cut columns_;
  piece_cut inner_;
  std::array<Kernel, 8> kernels_;
};

}  // namespace acre::algorithm
