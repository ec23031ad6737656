// A rank's share of a product: some rows and columns of c, and some inner indices, of two matrices
// whose blocks it reads one-sided.
#pragma once

#include <acre/global/put_get.hpp>
#include <acre/sparse/detail/block_product.hpp>
#include <acre/sparse/detail/factor_reading.hpp>
#include <acre/sparse/detail/product_call.hpp>
#include <acre/sparse/detail/product_result.hpp>
#include <acre/sparse/detail/segment_block.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace acre::detail {

/// Ranges of inner numbers that are read and multiplied one after the other.
/// @param bytes   to read for each inner number
/// @param groups  of inner numbers: who holds the row of b; they follow each other
/// @param most    bytes of a range
[[nodiscard]] std::vector<inner_range> inner_ranges(const std::vector<std::size_t>& bytes,
                                                    const std::vector<rank_t>& groups,
                                                    std::size_t most);

template <class T>
class part_product {
 public:
  /// Reads indices, and finds which blocks there will be, which `result` hears. Between the barriers
  /// of a collective.
  part_product(const product_call<T>& call, const product_part& part, product_result<T>& result)
      : call_(call),
        part_(part),
        result_(result),
        left_(call.a, factor_side::left, block_numbers(part.rows, call.a.rows().blocks()),
              block_numbers(part.inner, call.a.columns().blocks()), call.where),
        right_(call.b, factor_side::right, block_numbers(part.columns, call.b.columns().blocks()),
               block_numbers(part.inner, call.b.rows().blocks()), call.where),
        product_(call.a.rows(), call.b.columns(), call.a.columns(), part) {
    const auto of_left = left_.largest_norms(part.inner.size());
    left_.leave_out(right_.largest_norms(part.inner.size()), call.options.filter);
    right_.leave_out(of_left, call.options.filter);
    tile_ = choose_tile();
    pattern_ = result.there();
    if (call.options.keep_pattern) {
      product_.complete(pattern_);
    } else {
      pattern_ = product_.pattern(
          tiled(left_.blocks(), part.rows.size()), tiled(right_.blocks(), part.columns.size()),
          call.options.filter, pattern_,
          [&](std::size_t row, std::size_t column) { return result.wants(row, column); });
    }
    result.begin(pattern_);
  }

  [[nodiscard]] const product_pattern& pattern() const noexcept { return pattern_; }
  [[nodiscard]] product_pattern take_pattern() noexcept { return std::move(pattern_); }

  /// Reads and multiplies, and says to the result which blocks are done.
  /// @param most_bytes  of blocks of other nodes that are here at once
  /// @return the elements of all blocks, in the order of the pattern
  [[nodiscard]] segment_block run(std::size_t most_bytes) {
    segment_block data(pattern_.elements() * sizeof(T));
    const auto ranges = this->ranges(most_bytes);
    auto left = left_.begin_reading(ranges.front(), call_.where);
    auto right = right_.begin_reading(ranges.front(), call_.where);
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      quiet();
      auto now_left = std::move(left);
      auto now_right = std::move(right);
      const bool is_last = i + 1 == ranges.size();
      if (!is_last) {
        left = left_.begin_reading(ranges[i + 1], call_.where);
        right = right_.begin_reading(ranges[i + 1], call_.where);
      }
      add(std::move(now_left.blocks), std::move(now_right.blocks), data.as<T>(), i == 0, is_last);
    }
    return data;
  }

  /// Adds the products of these blocks: the first and the last of a sum say so.
  void add(std::vector<factor_block<T>> left, std::vector<factor_block<T>> right, T* data,
           bool is_first, bool is_last) {
    const auto a = tiled(std::move(left), part_.rows.size());
    const auto b = tiled(std::move(right), part_.columns.size());
    product_.add(a, b, call_.options.filter, pattern_, data, is_first,
                 [&](std::size_t i, T* block, std::size_t elements) {
                   if (is_last) result_.finish(i, block, elements);
                 });
  }

  void note(multiply_report& report) const noexcept {
    report.products += product_.products();
    report.operations += product_.operations();
    report.bytes_read += left_.bytes_read() + right_.bytes_read();
  }

 private:
  [[nodiscard]] tiled_factor<T> tiled(std::vector<factor_block<T>> blocks,
                                      std::size_t outers) const {
    return {std::move(blocks), outers, part_.inner.size(), tile_};
  }
  [[nodiscard]] std::size_t choose_tile() const {
    const double rows = std::max<double>(1, static_cast<double>(part_.rows.size()));
    const double columns = std::max<double>(1, static_cast<double>(part_.columns.size()));
    const double inner = std::max<double>(1, static_cast<double>(part_.inner.size()));
    const double block_bytes = static_cast<double>(sizeof(T)) *
                               (static_cast<double>(call_.a.rows().elements()) /
                                std::max<double>(1, static_cast<double>(call_.a.rows().blocks()))) *
                               (static_cast<double>(call_.b.columns().elements()) /
                                std::max<double>(1, static_cast<double>(call_.b.columns().blocks())));
    return tile_size(block_bytes,
                     expected_density(static_cast<double>(left_.blocks().size()) / (rows * inner),
                                      static_cast<double>(right_.blocks().size()) / (columns * inner),
                                      part_.inner.size()));
  }
  [[nodiscard]] std::vector<inner_range> ranges(std::size_t most_bytes) const {
    std::vector<std::size_t> bytes = left_.bytes_to_read(part_.inner.size());
    const std::vector<std::size_t> more = right_.bytes_to_read(part_.inner.size());
    std::vector<rank_t> groups;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      bytes[i] += more[i];
      groups.push_back(call_.b.distribution().row_owners()[part_.inner[i]]);
    }
    return inner_ranges(bytes, groups, most_bytes / 2);
  }

  const product_call<T>& call_;
  const product_part& part_;
  product_result<T>& result_;
  factor_reading<T> left_;
  factor_reading<T> right_;
  block_product<T> product_;
  std::size_t tile_ = 1;
  product_pattern pattern_;
};

}  // namespace acre::detail
