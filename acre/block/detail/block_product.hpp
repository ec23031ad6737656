// SPDX-License-Identifier: BSD-3-Clause
// Product of two local factors: first its sparsity pattern, then its values.
#pragma once

#include <acre/base/large_vector.hpp>
#include <acre/block/detail/block_kernels.hpp>
#include <acre/block/detail/product_stack.hpp>
#include <acre/block/detail/tile_table.hpp>
#include <acre/block/detail/tiled_factor.hpp>
#include <acre/layout/block_sizes.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

namespace acre::block_matrices {

struct product_part {
  std::vector<std::uint32_t> rows;
  std::vector<std::uint32_t> columns;
  std::vector<std::uint32_t> inner;
};

/// Blocks sorted by row, then column; `columns` are indices into product_part::columns.
struct product_pattern {
  std::vector<std::size_t> starts{0};  ///< of rows, and the end
  base::large_vector<std::uint32_t> columns;
  base::large_vector<std::size_t> offsets{0};  ///< of elements, and the end

  [[nodiscard]] std::size_t elements() const noexcept { return offsets.back(); }
};

struct tile_inputs {
  double block_bytes = 0;  ///< mean, of the product
  double density = 1;      ///< fraction of product blocks present
  double factor_bytes = 0;
  double factor_density = 1;  ///< geometric mean of both factors' block fractions
};

/// Outer indices per tile, so that a tile of c fills 3/8 of L2; up to 3/2 if factors exceed half of
/// L3, to reuse sparse or large blocks.
[[nodiscard]] std::size_t tile_size(const tile_inputs& of);
[[nodiscard]] double expected_density(double of_a, double of_b, std::size_t inner) noexcept;

template <class T>
class block_product {
 public:
  block_product(const block_sizes& rows, const block_sizes& columns, const block_sizes& inner,
                const product_part& part)
      : rows_(rows), columns_(columns), inner_(inner), part_(part), kernels_(rows, columns, inner) {
    for (const std::uint32_t each : part.rows) row_classes_.push_back(rows.class_of(each));
    for (const std::uint32_t each : part.columns) column_classes_.push_back(columns.class_of(each));
    for (const std::uint32_t each : part.inner) inner_classes_.push_back(inner.class_of(each));
  }

  /// With a filter, b must be sorted by norm, as in add().
  /// @param there      blocks to include in any case
  /// @param is_wanted  true if matrix block (row, column) may be added
  template <class Wanted>
  [[nodiscard]] product_pattern pattern(const tiled_factor<T>& a, const tiled_factor<T>& b,
                                        double filter, const product_pattern& there,
                                        Wanted&& is_wanted) const;

  void complete(product_pattern& pattern) const;

  /// Adds products into pattern blocks only. `first` zeroes blocks; finish(number, elements, count)
  /// is called for each completed block while in cache.
  template <class Finish>
  void add(const tiled_factor<T>& a, const tiled_factor<T>& b, double filter,
           const product_pattern& pattern, T* c, bool first, Finish&& finish);

  [[nodiscard]] std::uint64_t products() const noexcept { return products_; }
  [[nodiscard]] std::uint64_t operations() const noexcept { return operations_; }

 private:
  using marks = tile_table<std::uint8_t>;
  using slots = tile_table<T*>;

  static void mark(const tiled_factor<T>& a, std::size_t row_tile, const tiled_factor<T>& b,
                   std::size_t column_tile, double filter, marks& tile);
  void append(std::size_t row, std::span<const std::uint32_t> found, const product_pattern& there,
              product_pattern& pattern) const;
  void find_products(const tiled_factor<T>& a, std::size_t row_tile, const tiled_factor<T>& b,
                     std::size_t column_tile, double filter, slots& tile, product_stack<T>& stack);
  template <class F>
  static void each_block(const product_pattern& pattern, const std::vector<std::size_t>& next,
                         slots& tile, F&& f);

  [[nodiscard]] std::size_t block_elements(std::size_t row, std::uint32_t column) const {
    return std::size_t{rows_.size_of(part_.rows[row])} * columns_.size_of(part_.columns[column]);
  }

  block_sizes rows_;
  block_sizes columns_;
  block_sizes inner_;
  const product_part& part_;
  block_kernels<T> kernels_;
  std::vector<std::uint32_t> row_classes_;
  std::vector<std::uint32_t> column_classes_;
  std::vector<std::uint32_t> inner_classes_;
  std::uint64_t products_ = 0;
  std::uint64_t operations_ = 0;
};

template <class T>
template <class Wanted>
product_pattern block_product<T>::pattern(const tiled_factor<T>& a, const tiled_factor<T>& b,
                                          double filter, const product_pattern& there,
                                          Wanted&& is_wanted) const {
  product_pattern made;
  marks tile(a, b);
  std::vector<std::vector<std::uint32_t>> found(a.tile_size());
  for (std::size_t i = 0; i < a.tiles(); ++i) {
    for (std::size_t j = 0; j < b.tiles(); ++j) {
      tile.begin(a, i, b, j);
      mark(a, i, b, j, filter, tile);
      for (std::size_t row = tile.first_row(); row < tile.last_row(); ++row) {
        for (std::size_t column = tile.first_column(); column < tile.last_column(); ++column) {
          if (tile.at(row, column) != 0 && is_wanted(part_.rows[row], part_.columns[column])) {
            found[row - tile.first_row()].push_back(static_cast<std::uint32_t>(column));
          }
        }
      }
    }
    for (std::size_t row = a.begin_of(i); row < a.begin_of(i + 1); ++row) {
      std::vector<std::uint32_t>& here = found[row - a.begin_of(i)];
      append(row, here, there, made);
      here.clear();
    }
  }
  return made;
}

template <class T>
void block_product<T>::mark(const tiled_factor<T>& a, std::size_t row_tile,
                            const tiled_factor<T>& b, std::size_t column_tile, double filter,
                            marks& tile) {
  std::size_t left_to_mark = tile.blocks();
  each_inner(a, row_tile, b, column_tile, [&](const auto& lefts, const auto& rights) {
    for (const factor_block<T>& left : lefts) {
      for (const factor_block<T>& right : rights) {
        if (!passes(left, right, filter)) break;
        std::uint8_t& here = tile.at(left.outer, right.outer);
        if (here != 0) continue;
        here = 1;
        --left_to_mark;
      }
    }
    return left_to_mark > 0;
  });
}

template <class T>
void block_product<T>::append(std::size_t row, std::span<const std::uint32_t> found,
                              const product_pattern& there, product_pattern& pattern) const {
  const std::size_t before = pattern.columns.size();
  std::span<const std::uint32_t> old;
  if (!there.columns.empty()) {
    old = std::span(there.columns)
              .subspan(there.starts[row], there.starts[row + 1] - there.starts[row]);
  }
  std::ranges::set_union(found, old, std::back_inserter(pattern.columns));
  for (std::size_t i = before; i < pattern.columns.size(); ++i) {
    pattern.offsets.push_back(pattern.offsets.back() + block_elements(row, pattern.columns[i]));
  }
  pattern.starts.push_back(pattern.columns.size());
}

template <class T>
void block_product<T>::complete(product_pattern& pattern) const {
  pattern.offsets.assign(1, 0);
  for (std::size_t row = 0; row + 1 < pattern.starts.size(); ++row) {
    for (std::size_t i = pattern.starts[row]; i < pattern.starts[row + 1]; ++i) {
      pattern.offsets.push_back(pattern.offsets.back() + block_elements(row, pattern.columns[i]));
    }
  }
}

template <class T>
template <class Finish>
void block_product<T>::add(const tiled_factor<T>& a, const tiled_factor<T>& b, double filter,
                           const product_pattern& pattern, T* c, bool first, Finish&& finish) {
  slots tile(a, b);
  std::vector<std::size_t> next;
  product_stack<T> stack;
  for (std::size_t i = 0; i < a.tiles(); ++i) {
    next.assign(pattern.starts.begin() + static_cast<std::ptrdiff_t>(a.begin_of(i)),
                pattern.starts.begin() + static_cast<std::ptrdiff_t>(a.begin_of(i + 1)));
    for (std::size_t j = 0; j < b.tiles(); ++j) {
      tile.begin(a, i, b, j);
      each_block(pattern, next, tile, [&](std::size_t number, T*& slot) {
        slot = c + pattern.offsets[number];
        if (first) std::fill(slot, c + pattern.offsets[number + 1], T{});
      });
      find_products(a, i, b, j, filter, tile, stack);
      stack.make_all();
      each_block(pattern, next, tile, [&](std::size_t number, T* block) {
        finish(number, block, pattern.offsets[number + 1] - pattern.offsets[number]);
      });
      for (std::size_t row = tile.first_row(); row < tile.last_row(); ++row) {
        std::size_t& number = next[row - tile.first_row()];
        while (number < pattern.starts[row + 1] && pattern.columns[number] < tile.last_column()) {
          ++number;
        }
      }
    }
  }
  products_ += stack.products();
  operations_ += stack.operations();
}

template <class T>
void block_product<T>::find_products(const tiled_factor<T>& a, std::size_t row_tile,
                                     const tiled_factor<T>& b, std::size_t column_tile,
                                     double filter, slots& tile, product_stack<T>& stack) {
  each_inner(a, row_tile, b, column_tile, [&](const auto& lefts, const auto& rights) {
    for (const factor_block<T>& left : lefts) {
      for (const factor_block<T>& right : rights) {
        if (!passes(left, right, filter)) break;
        T* const block = tile.at(left.outer, right.outer);
        if (block == nullptr) continue;
        stack.add(kernels_.of(row_classes_[left.outer], column_classes_[right.outer],
                              inner_classes_[left.inner]),
                  left.values, right.values, block);
      }
    }
    return true;
  });
}

template <class T>
template <class F>
void block_product<T>::each_block(const product_pattern& pattern,
                                  const std::vector<std::size_t>& next, slots& tile, F&& f) {
  for (std::size_t row = tile.first_row(); row < tile.last_row(); ++row) {
    for (std::size_t i = next[row - tile.first_row()];
         i < pattern.starts[row + 1] && pattern.columns[i] < tile.last_column(); ++i) {
      f(i, tile.at(row, pattern.columns[i]));
    }
  }
}

}  // namespace acre::block_matrices
