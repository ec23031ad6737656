// The product of two factors whose blocks are all at hand: which blocks it has, and what they are.
#pragma once

#include <acre/sparse/block_sizes.hpp>
#include <acre/sparse/detail/block_kernels.hpp>
#include <acre/sparse/detail/product_stack.hpp>
#include <acre/sparse/detail/tiled_factor.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace acre::detail {

/// Which rows, columns and inner blocks a rank works on: the number in the matrix of each.
struct product_part {
  std::vector<std::uint32_t> rows;
  std::vector<std::uint32_t> columns;
  std::vector<std::uint32_t> inner;
};

/// Which blocks a product has, by rows; rows and columns are numbers in a product_part.
struct product_pattern {
  std::vector<std::size_t> starts{0};  ///< of rows, and the end
  std::vector<std::uint32_t> columns;
  std::vector<std::size_t> offsets{0};  ///< of blocks among the elements, and the end

  [[nodiscard]] std::size_t elements() const noexcept { return offsets.back(); }
};

/// Outer indices in a tile. A tile of the product takes a part of the second cache; but where the
/// factors do not stay in the third, and come from memory once for each tile, larger ones are
/// better.
/// @param block_bytes   of the product, in the mean
/// @param density       the share of its blocks that it will have
/// @param factor_bytes  of both
[[nodiscard]] std::size_t tile_size(double block_bytes, double density,
                                    double factor_bytes) noexcept;
/// The share of blocks of a product that are there where those of its factors lie at random.
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

  /// With a filter, b is sorted by norm, here and in add().
  /// @param there      blocks that it has in any case, by rows
  /// @param is_wanted  (row, column) of those that may be added, by their numbers in the matrix
  template <class Wanted>
  [[nodiscard]] product_pattern pattern(const tiled_factor<T>& a, const tiled_factor<T>& b,
                                        double filter, const product_pattern& there,
                                        Wanted&& is_wanted) const;

  /// Blocks of `there` as a pattern.
  void complete(product_pattern& pattern) const;

  /// Adds all products to the blocks of the pattern, and leaves out those of other blocks. Blocks
  /// are set to 0 before `first`; finish(number in the pattern, elements, their number) is called
  /// of each block of a tile that is done, while it is in the cache.
  template <class Finish>
  void add(const tiled_factor<T>& a, const tiled_factor<T>& b, double filter,
           const product_pattern& pattern, T* c, bool first, Finish&& finish);

  [[nodiscard]] std::uint64_t products() const noexcept { return products_; }
  [[nodiscard]] std::uint64_t operations() const noexcept { return operations_; }

 private:
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
  product_pattern found;
  std::vector<std::uint8_t> marks(a.tile_size() * b.tile_size());
  std::vector<std::vector<std::uint32_t>> of_rows(a.tile_size());
  for (std::size_t tile = 0; tile < a.tiles(); ++tile) {
    const std::size_t first_row = a.begin_of(tile);
    const std::size_t last_row = a.begin_of(tile + 1);
    for (std::size_t other = 0; other < b.tiles(); ++other) {
      const std::size_t first_column = b.begin_of(other);
      const std::size_t last_column = b.begin_of(other + 1);
      std::ranges::fill(marks, std::uint8_t{0});
      std::size_t left_to_mark = (last_row - first_row) * (last_column - first_column);
      const auto mark = [&](std::size_t row, std::size_t column) -> std::uint8_t& {
        return marks[(row - first_row) * b.tile_size() + (column - first_column)];
      };
      each_inner(a, tile, b, other, [&](const auto& lefts, const auto& rights) {
        for (const factor_block<T>& left : lefts) {
          for (const factor_block<T>& right : rights) {
            if (!passes(left, right, filter)) break;
            std::uint8_t& here = mark(left.outer, right.outer);
            if (here != 0) continue;
            here = 1;
            --left_to_mark;
          }
        }
        return left_to_mark > 0;
      });
      for (std::size_t row = first_row; row < last_row; ++row) {
        for (std::size_t column = first_column; column < last_column; ++column) {
          if (mark(row, column) != 0 && is_wanted(part_.rows[row], part_.columns[column])) {
            of_rows[row - first_row].push_back(static_cast<std::uint32_t>(column));
          }
        }
      }
    }
    for (std::size_t row = first_row; row < last_row; ++row) {
      std::vector<std::uint32_t>& here = of_rows[row - first_row];
      const std::size_t before = found.columns.size();
      if (there.columns.empty()) {
        found.columns.insert(found.columns.end(), here.begin(), here.end());
      } else {
        std::set_union(here.begin(), here.end(),
                       there.columns.begin() + static_cast<std::ptrdiff_t>(there.starts[row]),
                       there.columns.begin() + static_cast<std::ptrdiff_t>(there.starts[row + 1]),
                       std::back_inserter(found.columns));
      }
      for (std::size_t i = before; i < found.columns.size(); ++i) {
        found.offsets.push_back(found.offsets.back() + block_elements(row, found.columns[i]));
      }
      found.starts.push_back(found.columns.size());
      here.clear();
    }
  }
  return found;
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
  std::vector<T*> slots(a.tile_size() * b.tile_size());
  std::vector<std::size_t> next(a.tile_size());
  product_stack<T> stack;
  for (std::size_t tile = 0; tile < a.tiles(); ++tile) {
    const std::size_t first_row = a.begin_of(tile);
    const std::size_t last_row = a.begin_of(tile + 1);
    for (std::size_t row = first_row; row < last_row; ++row) {
      next[row - first_row] = pattern.starts[row];
    }
    for (std::size_t other = 0; other < b.tiles(); ++other) {
      const std::size_t first_column = b.begin_of(other);
      const std::size_t last_column = b.begin_of(other + 1);
      std::ranges::fill(slots, nullptr);
      // f(number in the pattern, slot) of each block of this tile of c.
      const auto each_block = [&](auto&& f) {
        for (std::size_t row = first_row; row < last_row; ++row) {
          for (std::size_t i = next[row - first_row];
               i < pattern.starts[row + 1] && pattern.columns[i] < last_column; ++i) {
            f(i, slots[(row - first_row) * b.tile_size() + pattern.columns[i] - first_column]);
          }
        }
      };
      each_block([&](std::size_t i, T*& slot) {
        slot = c + pattern.offsets[i];
        if (first) std::fill(slot, c + pattern.offsets[i + 1], T{});
      });
      each_inner(a, tile, b, other, [&](const auto& lefts, const auto& rights) {
        for (const factor_block<T>& left : lefts) {
          T** const row = slots.data() + (left.outer - first_row) * b.tile_size();
          for (const factor_block<T>& right : rights) {
            if (!passes(left, right, filter)) break;
            T* const block = row[right.outer - first_column];
            if (block == nullptr) continue;
            stack.add(kernels_.of(row_classes_[left.outer], column_classes_[right.outer],
                                  inner_classes_[left.inner]),
                      left.values, right.values, block);
          }
        }
        return true;
      });
      stack.make_all();
      each_block([&](std::size_t i, T* block) {
        finish(i, block, pattern.offsets[i + 1] - pattern.offsets[i]);
      });
      for (std::size_t row = first_row; row < last_row; ++row) {
        std::size_t& i = next[row - first_row];
        while (i < pattern.starts[row + 1] && pattern.columns[i] < last_column) ++i;
      }
    }
  }
  products_ += stack.products();
  operations_ += stack.operations();
}

}  // namespace acre::detail
