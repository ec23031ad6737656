// SPDX-License-Identifier: BSD-3-Clause
// Product of two local factors: first its sparsity pattern, then its values.
#pragma once

#include <acre/base/large_vector.hpp>
#include <acre/block/block_values.hpp>
#include <acre/block/detail/block_kernels.hpp>
#include <acre/block/detail/product_stack.hpp>
#include <acre/block/detail/product_threads.hpp>
#include <acre/block/detail/tile_table.hpp>
#include <acre/block/detail/tile_tasks.hpp>
#include <acre/block/detail/tiled_factor.hpp>
#include <acre/layout/block_sizes.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
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
/// L3.
[[nodiscard]] std::size_t tile_size(const tile_inputs& of);
[[nodiscard]] double expected_density(double of_a, double of_b, std::size_t inner) noexcept;

template <class T>
class block_product {
 public:
  block_product(const block_sizes& rows, const block_sizes& columns, const block_sizes& inner,
                const product_part& part, const product_threads& threads)
      : rows_(rows), columns_(columns), inner_(inner), part_(part), threads_(threads) {
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

  /// Adds products into pattern blocks only. `first` zeroes blocks; threads call finish(number,
  /// elements, count) for each completed block.
  template <class Finish>
  void add(const tiled_factor<T>& a, const tiled_factor<T>& b, double filter,
           const product_pattern& pattern, T* c, bool first, Finish&& finish);

  [[nodiscard]] std::uint64_t products() const noexcept { return products_; }
  [[nodiscard]] std::uint64_t operations() const noexcept { return operations_; }

 private:
  using marks = tile_table<std::uint8_t>;
  using slots = tile_table<T*>;

  /// State of a thread in add().
  struct worker {
    worker(const tiled_factor<T>& a, const tiled_factor<T>& b, block_kernels<T>& kernels_of_thread)
        : tile(a, b), kernels(&kernels_of_thread) {}
    slots tile;
    std::vector<std::size_t> next;
    product_stack<T> stack;
    block_kernels<T>* kernels;
  };

  [[nodiscard]] unsigned threads_for(const tiled_factor<T>& a, const tiled_factor<T>& b) const;
  static void mark(const tiled_factor<T>& a, std::size_t row_tile, const tiled_factor<T>& b,
                   std::size_t column_tile, double filter, marks& tile);
  void append(std::size_t row, std::span<const std::uint32_t> found, const product_pattern& there,
              product_pattern& pattern) const;
  template <class Finish>
  void add_task(const tiled_factor<T>& a, const tiled_factor<T>& b, double filter,
                const product_pattern& pattern, T* c, bool first, const tile_tasks::task& task,
                worker& here, const Finish& finish);
  void find_products(const tiled_factor<T>& a, std::size_t row_tile, const tiled_factor<T>& b,
                     std::size_t column_tile, double filter, worker& here);
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
  product_threads threads_;
  std::vector<block_kernels<T>> kernels_;  ///< of each thread
  std::vector<std::uint32_t> row_classes_;
  std::vector<std::uint32_t> column_classes_;
  std::vector<std::uint32_t> inner_classes_;
  std::uint64_t products_ = 0;
  std::uint64_t operations_ = 0;
};

template <class T>
unsigned block_product<T>::threads_for(const tiled_factor<T>& a, const tiled_factor<T>& b) const {
  if (threads_.most() == 1) return 1;
  std::vector<std::uint32_t> of_a(part_.inner.size());
  for (const factor_block<T>& each : a.blocks()) ++of_a[each.inner];
  double products = 0;
  for (const factor_block<T>& each : b.blocks()) products += of_a[each.inner];
  return threads_.worth(products * operations_each<T> * rows_.mean() * columns_.mean() *
                        inner_.mean());
}

template <class T>
template <class Wanted>
product_pattern block_product<T>::pattern(const tiled_factor<T>& a, const tiled_factor<T>& b,
                                          double filter, const product_pattern& there,
                                          Wanted&& is_wanted) const {
  const unsigned threads = threads_for(a, b);
  const tile_tasks tasks(a.tiles(), b.tiles(), threads);
  const std::size_t groups = tasks.groups();
  std::vector<std::vector<std::uint32_t>> found(part_.rows.size() * groups);
  std::vector<marks> tiles(threads, marks(a, b));
  tasks.run([&](unsigned thread, const tile_tasks::task& task) {
    marks& tile = tiles[thread];
    for (std::size_t j = task.first_column_tile; j < task.last_column_tile; ++j) {
      tile.begin(a, task.row_tile, b, j);
      mark(a, task.row_tile, b, j, filter, tile);
      for (std::size_t row = tile.first_row(); row < tile.last_row(); ++row) {
        for (std::size_t column = tile.first_column(); column < tile.last_column(); ++column) {
          if (tile.at(row, column) != 0 && is_wanted(part_.rows[row], part_.columns[column])) {
            found[row * groups + task.group].push_back(static_cast<std::uint32_t>(column));
          }
        }
      }
    }
  });
  product_pattern made;
  for (std::size_t row = 0; row < part_.rows.size(); ++row) {
    std::vector<std::uint32_t> here = std::move(found[row * groups]);
    for (std::size_t i = 1; i < groups; ++i) {
      const std::vector<std::uint32_t>& more = found[row * groups + i];
      here.insert(here.end(), more.begin(), more.end());
    }
    append(row, here, there, made);
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
  const unsigned threads = threads_for(a, b);
  kernels_.resize(std::max<std::size_t>(kernels_.size(), threads),
                  block_kernels<T>(rows_, columns_, inner_));
  const one_blas_thread_each hold;
  const tile_tasks tasks(a.tiles(), b.tiles(), threads);
  std::vector<std::unique_ptr<worker>> workers(threads);
  tasks.run([&](unsigned thread, const tile_tasks::task& task) {
    if (workers[thread] == nullptr) {
      workers[thread] = std::make_unique<worker>(a, b, kernels_[thread]);
    }
    add_task(a, b, filter, pattern, c, first, task, *workers[thread], finish);
  });
  for (const auto& each : workers) {
    if (each == nullptr) continue;
    products_ += each->stack.products();
    operations_ += each->stack.operations();
  }
}

template <class T>
template <class Finish>
void block_product<T>::add_task(const tiled_factor<T>& a, const tiled_factor<T>& b, double filter,
                                const product_pattern& pattern, T* c, bool first,
                                const tile_tasks::task& task, worker& here, const Finish& finish) {
  slots& tile = here.tile;
  here.next.clear();
  const auto columns = pattern.columns.begin();
  for (std::size_t row = a.begin_of(task.row_tile); row < a.begin_of(task.row_tile + 1); ++row) {
    const auto begin = columns + static_cast<std::ptrdiff_t>(pattern.starts[row]);
    const auto end = columns + static_cast<std::ptrdiff_t>(pattern.starts[row + 1]);
    const auto at = std::lower_bound(begin, end, b.begin_of(task.first_column_tile));
    here.next.push_back(static_cast<std::size_t>(at - columns));
  }
  for (std::size_t j = task.first_column_tile; j < task.last_column_tile; ++j) {
    tile.begin(a, task.row_tile, b, j);
    each_block(pattern, here.next, tile, [&](std::size_t number, T*& slot) {
      slot = c + pattern.offsets[number];
      if (first) std::fill(slot, c + pattern.offsets[number + 1], T{});
    });
    find_products(a, task.row_tile, b, j, filter, here);
    here.stack.make_all();
    each_block(pattern, here.next, tile, [&](std::size_t number, T* block) {
      finish(number, block, pattern.offsets[number + 1] - pattern.offsets[number]);
    });
    for (std::size_t row = tile.first_row(); row < tile.last_row(); ++row) {
      std::size_t& number = here.next[row - tile.first_row()];
      while (number < pattern.starts[row + 1] && pattern.columns[number] < tile.last_column()) {
        ++number;
      }
    }
  }
}

template <class T>
void block_product<T>::find_products(const tiled_factor<T>& a, std::size_t row_tile,
                                     const tiled_factor<T>& b, std::size_t column_tile,
                                     double filter, worker& here) {
  each_inner(a, row_tile, b, column_tile, [&](const auto& lefts, const auto& rights) {
    for (const factor_block<T>& left : lefts) {
      for (const factor_block<T>& right : rights) {
        if (!passes(left, right, filter)) break;
        T* const block = here.tile.at(left.outer, right.outer);
        if (block == nullptr) continue;
        here.stack.add(here.kernels->of(row_classes_[left.outer], column_classes_[right.outer],
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
