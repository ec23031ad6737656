// SPDX-License-Identifier: BSD-3-Clause
// Multiplies small blocks of nearly full factors as packed dense pieces
// (algorithm/packed_pieces.hpp), if cheaper than kernel calls.
#pragma once

#include <acre/algorithm/in_threads.hpp>
#include <acre/algorithm/packed_pieces.hpp>
#include <acre/algorithm/packed_product.hpp>
#include <acre/algorithm/threads_of_product.hpp>
#include <acre/block/block_values.hpp>
#include <acre/block/detail/block_kernels.hpp>
#include <acre/block/detail/block_product.hpp>
#include <acre/block/detail/factor_reading.hpp>
#include <acre/block/detail/product_threads.hpp>
#include <acre/block/detail/tiled_factor.hpp>
#include <acre/layout/block_sizes.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace acre::block_matrices {

class block_places {
 public:
  template <class IsIn>
  block_places(const block_sizes& sizes, std::span<const std::uint32_t> chosen, IsIn&& is_in) {
    begins_.reserve(chosen.size() + 1);
    begins_.push_back(0);
    for (std::size_t number = 0; number < chosen.size(); ++number) {
      const std::size_t size = is_in(number) ? sizes.size_of(chosen[number]) : 0;
      blocks_.resize(begins_.back() + size, static_cast<std::uint32_t>(number));
      begins_.push_back(begins_.back() + size);
    }
  }
  block_places(const block_sizes& sizes, std::span<const std::uint32_t> chosen)
      : block_places(sizes, chosen, [](std::size_t) { return true; }) {}

  [[nodiscard]] std::size_t blocks() const noexcept { return begins_.size() - 1; }
  [[nodiscard]] std::size_t extent() const noexcept { return begins_.back(); }
  /// Empty if excluded.
  [[nodiscard]] algorithm::element_range range_of(std::size_t number) const noexcept {
    return {begins_[number], begins_[number + 1]};
  }
  [[nodiscard]] std::size_t block_of(std::size_t element) const noexcept {
    return blocks_[element];
  }

 private:
  std::vector<std::size_t> begins_;
  std::vector<std::uint32_t> blocks_;
};

/// Nanoseconds of separate block products.
[[nodiscard]] double time_of_blocks(double products, double rows, double columns,
                                    double inner) noexcept;
[[nodiscard]] double time_merged(double rows, double columns, double inner) noexcept;

template <class T>
class merged_product {
 public:
  /// @param meets  inner blocks present in both factors
  merged_product(const block_sizes& rows, const block_sizes& columns, const block_sizes& inner,
                 const product_part& part, const std::vector<bool>& meets)
      : rows_(rows, part.rows),
        columns_(columns, part.columns),
        inner_(inner, part.inner, [&](std::size_t number) { return meets[number]; }) {}

  /// Like block_product::add, unfiltered, for finite numbers. Threads have whole pieces.
  template <class Finish>
  void add(factor_blocks<T> left, factor_blocks<T> right, const product_pattern& pattern, T* c,
           bool is_first, unsigned threads, Finish&& finish) const;

 private:
  using grid = algorithm::piece_grid<T>;

  class sorted_blocks {
   public:
    sorted_blocks(factor_blocks<T> blocks, const block_places& outer);
    [[nodiscard]] std::span<const factor_block<T>> within(algorithm::element_range which) const;

   private:
    factor_blocks<T> blocks_;
    std::vector<std::size_t> begins_;
    const block_places& outer_;
  };

  /// Rows and columns of pieces of c that one thread computes.
  struct piece_part {
    algorithm::piece_run rows;
    algorithm::piece_run columns;

    [[nodiscard]] bool contains(algorithm::element_range of_rows,
                                algorithm::element_range of_columns) const noexcept {
      return rows.begin() <= of_rows.first && of_rows.last <= rows.end() &&
             columns.begin() <= of_columns.first && of_columns.last <= columns.end();
    }
  };
  [[nodiscard]] std::vector<piece_part> parts_for(unsigned threads) const;
  template <class Finish>
  void finish_shared(const std::vector<piece_part>& parts, const product_pattern& pattern, T* c,
                     const Finish& finish) const;

  void pack(std::span<const factor_block<T>> blocks, factor_side side, const grid& to) const;
  template <class F>
  void each_block(const product_pattern& pattern, const grid& tile, F&& f) const;
  template <class U, class F>
  static void each_segment(U* block, algorithm::element_range rows,
                           algorithm::element_range columns, const grid& of, F&& f);

  block_places rows_;
  block_places columns_;
  block_places inner_;
};

template <class T>
merged_product<T>::sorted_blocks::sorted_blocks(factor_blocks<T> blocks, const block_places& outer)
    : blocks_(std::move(blocks)), begins_(outer.blocks() + 1), outer_(outer) {
  counting_sort(blocks_, outer.blocks(), [](const factor_block<T>& each) { return each.outer; });
  for (const factor_block<T>& each : blocks_) ++begins_[each.outer + 1];
  std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
}

template <class T>
std::span<const factor_block<T>> merged_product<T>::sorted_blocks::within(
    algorithm::element_range which) const {
  const std::size_t first = begins_[outer_.block_of(which.first)];
  const std::size_t last = begins_[outer_.block_of(which.last - 1) + 1];
  return {blocks_.data() + first, last - first};
}

template <class T>
void merged_product<T>::pack(std::span<const factor_block<T>> blocks, factor_side side,
                             const grid& to) const {
  std::fill_n(to.memory(), to.size(), T{});
  const bool is_left = side == factor_side::left;
  for (const factor_block<T>& each : blocks) {
    const algorithm::element_range rows =
        is_left ? rows_.range_of(each.outer) : inner_.range_of(each.inner);
    const algorithm::element_range columns =
        is_left ? inner_.range_of(each.inner) : columns_.range_of(each.outer);
    each_segment(each.values, rows, columns, to, [](const T* block, T* place, std::size_t count) {
      copy_column(block, count, place);
    });
  }
}

template <class T>
template <class F>
void merged_product<T>::each_block(const product_pattern& pattern, const grid& tile, F&& f) const {
  const std::size_t last_row = rows_.block_of(tile.rows().end() - 1);
  const std::size_t first_column = columns_.block_of(tile.columns().begin());
  const std::size_t last_column = columns_.block_of(tile.columns().end() - 1);
  for (std::size_t row = rows_.block_of(tile.rows().begin()); row <= last_row; ++row) {
    const auto begin = pattern.columns.begin();
    std::size_t i = static_cast<std::size_t>(
        std::lower_bound(begin + static_cast<std::ptrdiff_t>(pattern.starts[row]),
                         begin + static_cast<std::ptrdiff_t>(pattern.starts[row + 1]),
                         first_column) -
        begin);
    for (; i < pattern.starts[row + 1] && pattern.columns[i] <= last_column; ++i) {
      f(i, rows_.range_of(row), columns_.range_of(pattern.columns[i]));
    }
  }
}

template <class T>
template <class U, class F>
void merged_product<T>::each_segment(U* block, algorithm::element_range rows,
                                     algorithm::element_range columns, const grid& of, F&& f) {
  const std::size_t height = rows.last - rows.first;
  of.each_segment(rows, columns,
                  [&](std::size_t row, std::size_t column, T* here, std::size_t count) {
                    f(block + (column - columns.first) * height + (row - rows.first), here, count);
                  });
}

template <class T>
std::vector<typename merged_product<T>::piece_part> merged_product<T>::parts_for(
    unsigned threads) const {
  const algorithm::piece_cut rows(rows_.extent());
  const algorithm::piece_cut columns(columns_.extent());
  const auto [tall, wide] = algorithm::parts_of_product(rows.extent(), columns.extent(), threads);
  std::vector<piece_part> parts;
  parts.reserve(std::size_t{tall} * wide);
  for (unsigned i = 0; i < tall * wide; ++i) {
    parts.push_back({algorithm::share_of_pieces(rows, tall, i % tall),
                     algorithm::share_of_pieces(columns, wide, i / tall)});
  }
  return parts;
}

/// Blocks that several parts share are complete after all of them.
template <class T>
template <class Finish>
void merged_product<T>::finish_shared(const std::vector<piece_part>& parts,
                                      const product_pattern& pattern, T* c,
                                      const Finish& finish) const {
  if (parts.size() == 1) return;
  for (std::size_t row = 0; row < rows_.blocks(); ++row) {
    for (std::size_t i = pattern.starts[row]; i < pattern.starts[row + 1]; ++i) {
      const algorithm::element_range rows = rows_.range_of(row);
      const algorithm::element_range columns = columns_.range_of(pattern.columns[i]);
      const bool is_inside = std::ranges::any_of(
          parts, [&](const piece_part& each) { return each.contains(rows, columns); });
      if (!is_inside)
        finish(i, c + pattern.offsets[i], pattern.offsets[i + 1] - pattern.offsets[i]);
    }
  }
}

template <class T>
template <class Finish>
void merged_product<T>::add(factor_blocks<T> left, factor_blocks<T> right,
                            const product_pattern& pattern, T* c, bool is_first, unsigned threads,
                            Finish&& finish) const {
  const sorted_blocks a(std::move(left), rows_);
  const sorted_blocks b(std::move(right), columns_);
  const algorithm::packed_product<T, block_kernel<T>> product(rows_.extent(), columns_.extent(),
                                                              inner_.extent());
  const std::vector<piece_part> parts = parts_for(threads);
  const auto count = static_cast<unsigned>(parts.size());
  const auto begin = [&](const grid& tile, const algorithm::inner_turn& turn) {
    std::fill_n(tile.memory(), tile.size(), T{});
    if (is_first && turn.is_first) return;
    each_block(pattern, tile,
               [&](std::size_t i, algorithm::element_range rows, algorithm::element_range columns) {
                 each_segment(c + pattern.offsets[i], rows, columns, tile,
                              [](const T* block, T* sums, std::size_t size) {
                                copy_column(block, size, sums);
                              });
               });
  };
  const auto end = [&](const piece_part& mine, const grid& tile,
                       const algorithm::inner_turn& turn) {
    each_block(pattern, tile,
               [&](std::size_t i, algorithm::element_range rows, algorithm::element_range columns) {
                 T* const block = c + pattern.offsets[i];
                 each_segment(block, rows, columns, tile,
                              [](T* place, const T* sums, std::size_t size) {
                                copy_column(sums, size, place);
                              });
                 const bool is_whole =
                     rows.last <= tile.rows().end() && columns.last <= tile.columns().end();
                 if (turn.is_last && is_whole && mine.contains(rows, columns)) {
                   finish(i, block, pattern.offsets[i + 1] - pattern.offsets[i]);
                 }
               });
  };
  const one_blas_thread_each hold;
  algorithm::in_threads(count, [&](unsigned number) {
    const piece_part& mine = parts[number];
    product.run_part(
        mine.rows, mine.columns,
        [&](const grid& to) {
          pack(a.within({to.rows().begin(), to.rows().end()}), factor_side::left, to);
        },
        [&](const grid& to) {
          pack(b.within({to.columns().begin(), to.columns().end()}), factor_side::right, to);
        },
        begin, [&](const grid& tile, const algorithm::inner_turn& turn) { end(mine, tile, turn); },
        algorithm::memory_of_thread(count));
  });
  finish_shared(parts, pattern, c, finish);
}

}  // namespace acre::block_matrices
