// A rank's share of a product: some rows and columns of c, and some inner indices, of two matrices
// whose blocks it reads one-sided.
#pragma once

#include <acre/global/put_get.hpp>
#include <acre/sparse/detail/block_product.hpp>
#include <acre/sparse/detail/factor_reading.hpp>
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
  /// Reads indices, and finds which blocks there will be. Between the barriers of a collective.
  /// @param there  blocks of c that stay, by the numbers of the part
  template <class Wanted>
  part_product(const block_matrix<T>& a, const block_matrix<T>& b, const product_part& part,
               double filter, const product_pattern& there, bool keeps_pattern,
               Wanted&& is_wanted, const site& where)
      : a_(a),
        b_(b),
        part_(part),
        filter_(filter),
        where_(where),
        left_(a, factor_side::left, block_numbers(part.rows, a.rows().blocks()),
              block_numbers(part.inner, a.columns().blocks()), where),
        right_(b, factor_side::right, block_numbers(part.columns, b.columns().blocks()),
               block_numbers(part.inner, b.rows().blocks()), where),
        product_(a.rows(), b.columns(), a.columns(), part) {
    const auto of_left = left_.largest_norms(part.inner.size());
    left_.leave_out(right_.largest_norms(part.inner.size()), filter);
    right_.leave_out(of_left, filter);
    tile_ = choose_tile();
    if (keeps_pattern) {
      pattern_ = there;
      product_.complete(pattern_);
    } else {
      pattern_ = product_.pattern(tiled(left_.blocks(), part.rows.size()),
                                  tiled(right_.blocks(), part.columns.size()), filter, there,
                                  is_wanted);
    }
  }

  [[nodiscard]] const product_pattern& pattern() const noexcept { return pattern_; }

  /// Multiplies. finish: as block_product::add says, of each block that is done.
  /// @param most_bytes  of blocks of other nodes that are here at once
  /// @return the elements of all blocks, in the order of the pattern
  template <class Finish>
  [[nodiscard]] segment_block run(std::size_t most_bytes, Finish&& finish) {
    segment_block data(pattern_.elements() * sizeof(T));
    const auto ranges = this->ranges(most_bytes);
    auto left = left_.begin_reading(ranges.front(), where_);
    auto right = right_.begin_reading(ranges.front(), where_);
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      quiet();
      auto now_left = std::move(left);
      auto now_right = std::move(right);
      const bool is_last = i + 1 == ranges.size();
      if (!is_last) {
        left = left_.begin_reading(ranges[i + 1], where_);
        right = right_.begin_reading(ranges[i + 1], where_);
      }
      const auto a = tiled(std::move(now_left.blocks), part_.rows.size());
      const auto b = tiled(std::move(now_right.blocks), part_.columns.size());
      if (is_last) {
        product_.add(a, b, filter_, pattern_, data.as<T>(), i == 0, finish);
      } else {
        product_.add(a, b, filter_, pattern_, data.as<T>(), i == 0,
                     [](auto&&...) {});
      }
    }
    return data;
  }

  [[nodiscard]] std::uint64_t products() const noexcept { return product_.products(); }
  [[nodiscard]] std::uint64_t operations() const noexcept { return product_.operations(); }
  [[nodiscard]] std::size_t bytes_read() const noexcept {
    return left_.bytes_read() + right_.bytes_read();
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
                               (static_cast<double>(a_.rows().elements()) /
                                std::max<double>(1, static_cast<double>(a_.rows().blocks()))) *
                               (static_cast<double>(b_.columns().elements()) /
                                std::max<double>(1, static_cast<double>(b_.columns().blocks())));
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
      groups.push_back(b_.distribution().row_owners()[part_.inner[i]]);
    }
    return inner_ranges(bytes, groups, most_bytes / 2);
  }

  const block_matrix<T>& a_;
  const block_matrix<T>& b_;
  const product_part& part_;
  double filter_;
  site where_;
  factor_reading<T> left_;
  factor_reading<T> right_;
  block_product<T> product_;
  std::size_t tile_ = 1;
  product_pattern pattern_;
};

}  // namespace acre::detail
