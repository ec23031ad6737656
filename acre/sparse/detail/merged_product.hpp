// Small blocks of factors that have most of their blocks, multiplied as large ones.
//
// A product of two blocks of 5 x 5 takes as long as what is around it. Where nearly all of them are
// there, neighbours are copied together into blocks of about 64 x 64, with zeros for what is
// absent: these are multiplied at full speed, and the product is copied to its blocks. It is worth
// while where the products that are made in vain take less time than the calls that are saved. Each
// sum has the same terms in the same order, and some zeros.
#pragma once

#include <acre/sparse/block_sizes.hpp>
#include <acre/sparse/detail/block_product.hpp>
#include <acre/sparse/detail/block_values.hpp>
#include <acre/sparse/detail/factor_reading.hpp>
#include <acre/sparse/detail/scratch.hpp>
#include <acre/sparse/detail/tiled_factor.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace acre::detail {

/// Blocks of one dimension that are merged: neighbours, by their numbers in a part.
class merged_blocks {
 public:
  /// @param chosen  the blocks of `sizes`, in the order of their numbers
  merged_blocks(const block_sizes& sizes, std::span<const std::uint32_t> chosen,
                std::uint32_t wanted_size);

  [[nodiscard]] const block_sizes& merged() const noexcept { return merged_; }
  [[nodiscard]] std::size_t count() const noexcept { return merged_.blocks(); }
  /// Which merged block a block is in, and the number of elements before it there.
  [[nodiscard]] std::uint32_t group_of(std::size_t number) const noexcept {
    return groups_[number];
  }
  [[nodiscard]] std::uint32_t offset_of(std::size_t number) const noexcept {
    return offsets_[number];
  }
  [[nodiscard]] std::uint32_t size_of(std::size_t number) const noexcept { return sizes_[number]; }
  /// The first block of a merged one.
  [[nodiscard]] std::size_t begin_of(std::size_t group) const noexcept { return begins_[group]; }

 private:
  block_sizes merged_;
  std::vector<std::uint32_t> groups_;
  std::vector<std::uint32_t> offsets_;
  std::vector<std::uint32_t> sizes_;
  std::vector<std::size_t> begins_;
};

/// All of so many.
[[nodiscard]] product_part whole_part(std::size_t rows, std::size_t columns, std::size_t inner);
[[nodiscard]] product_pattern whole_pattern(std::size_t rows, std::size_t columns);

/// What products of blocks take one by one, in nanoseconds.
[[nodiscard]] double time_of_blocks(double products, double rows, double columns,
                                    double inner) noexcept;
/// What a dense product takes, with copies.
[[nodiscard]] double time_merged(double rows, double columns, double inner) noexcept;

template <class T>
class merged_product {
 public:
  merged_product(const block_sizes& rows, const block_sizes& columns, const block_sizes& inner,
                 const product_part& part)
      : rows_(rows, part.rows, wanted_size),
        columns_(columns, part.columns, wanted_size),
        inner_(inner, part.inner, wanted_size) {}

  /// As block_product::add, for products without a filter of finite numbers.
  template <class Finish>
  void add(std::vector<factor_block<T>> left, std::vector<factor_block<T>> right,
           const product_pattern& pattern, T* c, bool is_first, Finish&& finish);

 private:
  static constexpr std::uint32_t wanted_size = 64;
  static constexpr std::size_t columns_at_once = 8;  ///< merged
  static constexpr std::size_t bytes_at_once = std::size_t{256} << 20;

  /// Merged blocks of one dimension that follow each other.
  struct run {
    std::size_t first;
    std::size_t last;
    [[nodiscard]] std::size_t size() const noexcept { return last - first; }
  };
  /// Merged blocks of a factor, all of them, by columns.
  struct packed {
    scratch<T> elements;
    std::unique_ptr<tiled_factor<T>> tiled;
  };

  [[nodiscard]] std::vector<run> row_runs() const;
  [[nodiscard]] packed pack(std::span<const factor_block<T>> blocks, const merged_blocks& outer,
                            run of_outer, factor_side side) const;
  /// Copies one block to its place.
  void place(const factor_block<T>& block, factor_side side, T* merged) const;
  /// Multiplies two packed factors. @return the merged blocks of the product, by rows
  [[nodiscard]] const T* multiply(const packed& a, const packed& b, run rows, run columns);
  /// Copies what is merged to the blocks of the pattern.
  template <class Finish>
  void spread(const T* from, run rows, run columns, const product_pattern& pattern, T* c,
              bool is_first, Finish& finish) const;

  merged_blocks rows_;
  merged_blocks columns_;
  merged_blocks inner_;
  scratch<T> product_;
};

template <class T>
typename merged_product<T>::packed merged_product<T>::pack(std::span<const factor_block<T>> blocks,
                                                           const merged_blocks& outer, run of_outer,
                                                           factor_side side) const {
  const std::size_t inners = inner_.count();
  const std::size_t elements =
      (outer.merged().begin_of(of_outer.last) - outer.merged().begin_of(of_outer.first)) *
      inner_.merged().elements();
  packed made{.elements = scratch<T>(elements), .tiled = nullptr};
  std::fill_n(made.elements.get(), elements, T{});
  std::vector<factor_block<T>> merged;
  std::vector<T*> places;
  T* next = made.elements.get();
  for (std::size_t o = of_outer.first; o < of_outer.last; ++o) {
    for (std::size_t k = 0; k < inners; ++k) {
      merged.push_back(
          {static_cast<std::uint32_t>(o - of_outer.first), static_cast<std::uint32_t>(k), 1, next});
      places.push_back(next);
      next += std::size_t{outer.merged().size_of(o)} * inner_.merged().size_of(k);
    }
  }
  for (const factor_block<T>& each : blocks) {
    const std::size_t o = outer.group_of(each.outer);
    if (o < of_outer.first || o >= of_outer.last) continue;
    place(each, side, places[(o - of_outer.first) * inners + inner_.group_of(each.inner)]);
  }
  made.tiled = std::make_unique<tiled_factor<T>>(std::move(merged), of_outer.size(), inners,
                                                 columns_at_once);
  return made;
}

template <class T>
void merged_product<T>::place(const factor_block<T>& block, factor_side side, T* merged) const {
  const bool is_left = side == factor_side::left;
  const merged_blocks& of_rows = is_left ? rows_ : inner_;
  const merged_blocks& of_columns = is_left ? inner_ : columns_;
  const std::uint32_t row = is_left ? block.outer : block.inner;
  const std::uint32_t column = is_left ? block.inner : block.outer;
  const std::size_t line = of_rows.merged().size_of(of_rows.group_of(row));
  const std::size_t rows = of_rows.size_of(row);
  T* to = merged + of_columns.offset_of(column) * line + of_rows.offset_of(row);
  const T* from = block.values;
  for (std::uint32_t j = 0; j < of_columns.size_of(column); ++j, to += line, from += rows) {
    copy_column(from, rows, to);
  }
}

template <class T>
std::vector<typename merged_product<T>::run> merged_product<T>::row_runs() const {
  std::vector<run> runs{{0, 0}};
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < rows_.count(); ++i) {
    const std::size_t more = rows_.merged().size_of(i) * inner_.merged().elements() * sizeof(T);
    if (bytes > 0 && bytes + more > bytes_at_once) {
      runs.push_back({i, i});
      bytes = 0;
    }
    bytes += more;
    runs.back().last = i + 1;
  }
  return runs;
}

template <class T>
template <class Finish>
void merged_product<T>::add(std::vector<factor_block<T>> left, std::vector<factor_block<T>> right,
                            const product_pattern& pattern, T* c, bool is_first, Finish&& finish) {
  const auto group_of = [&](const factor_block<T>& each) { return columns_.group_of(each.outer); };
  counting_sort(right, columns_.count(), group_of);
  for (const run rows : row_runs()) {
    const packed a = pack(left, rows_, rows, factor_side::left);
    std::size_t next = 0;
    for (std::size_t j = 0; j < columns_.count(); j += columns_at_once) {
      const run columns{j, std::min(j + columns_at_once, columns_.count())};
      const std::size_t first = next;
      while (next < right.size() && group_of(right[next]) < columns.last) ++next;
      const packed b =
          pack({right.data() + first, next - first}, columns_, columns, factor_side::right);
      spread(multiply(a, b, rows, columns), rows, columns, pattern, c, is_first, finish);
    }
  }
}

template <class T>
const T* merged_product<T>::multiply(const packed& a, const packed& b, run rows, run columns) {
  product_part part = whole_part(rows.size(), columns.size(), inner_.count());
  for (std::uint32_t& each : part.rows) each += static_cast<std::uint32_t>(rows.first);
  for (std::uint32_t& each : part.columns) each += static_cast<std::uint32_t>(columns.first);
  block_product<T> whole(rows_.merged(), columns_.merged(), inner_.merged(), part);
  product_pattern all = whole_pattern(rows.size(), columns.size());
  whole.complete(all);
  if (all.elements() > product_.size()) product_ = scratch<T>(all.elements());
  whole.add(*a.tiled, *b.tiled, 0, all, product_.get(), true, [](std::size_t, T*, std::size_t) {});
  return product_.get();
}

template <class T>
template <class Finish>
void merged_product<T>::spread(const T* from, run rows, run columns, const product_pattern& pattern,
                               T* c, bool is_first, Finish& finish) const {
  const std::size_t width =
      columns_.merged().begin_of(columns.last) - columns_.merged().begin_of(columns.first);
  const std::size_t first_column = columns_.begin_of(columns.first);
  const std::size_t last_column = columns_.begin_of(columns.last);
  for (std::size_t group = rows.first; group < rows.last; ++group) {
    const std::size_t line = rows_.merged().size_of(group);
    for (std::size_t row = rows_.begin_of(group); row < rows_.begin_of(group + 1); ++row) {
      const auto begin = pattern.columns.begin();
      std::size_t i = static_cast<std::size_t>(
          std::lower_bound(begin + static_cast<std::ptrdiff_t>(pattern.starts[row]),
                           begin + static_cast<std::ptrdiff_t>(pattern.starts[row + 1]),
                           first_column) -
          begin);
      const std::size_t height = rows_.size_of(row);
      for (; i < pattern.starts[row + 1] && pattern.columns[i] < last_column; ++i) {
        const std::uint32_t column = pattern.columns[i];
        // Merged blocks of a merged row follow each other: so do all of its columns.
        const T* source = from +
                          (columns_.merged().begin_of(columns_.group_of(column)) -
                           columns_.merged().begin_of(columns.first) + columns_.offset_of(column)) *
                              line +
                          rows_.offset_of(row);
        T* to = c + pattern.offsets[i];
        for (std::uint32_t j = 0; j < columns_.size_of(column); ++j, source += line, to += height) {
          if (is_first) {
            copy_column(source, height, to);
          } else {
            for (std::size_t e = 0; e < height; ++e) to[e] += source[e];
          }
        }
        finish(i, c + pattern.offsets[i], pattern.offsets[i + 1] - pattern.offsets[i]);
      }
    }
    from += line * width;
  }
}

}  // namespace acre::detail
