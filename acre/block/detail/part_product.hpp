// SPDX-License-Identifier: BSD-3-Clause
// Multiplies a rank's part of a product, with one-sided reads of both factors.
#pragma once

#include <acre/block/block_symmetry.hpp>
#include <acre/block/block_values.hpp>
#include <acre/block/detail/block_numbers.hpp>
#include <acre/block/detail/block_product.hpp>
#include <acre/block/detail/factor_indices.hpp>
#include <acre/block/detail/factor_reading.hpp>
#include <acre/block/detail/merged_product.hpp>
#include <acre/block/detail/product_call.hpp>
#include <acre/block/detail/product_result.hpp>
#include <acre/global/memory/put_get.hpp>
#include <acre/global/memory/quiet_on_failure.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace acre::block_matrices {

/// Splits inner numbers into steps, which end at `most` bytes, or with an owner after 512 KiB.
/// @param bytes   per inner number
/// @param groups  owners of b's rows, contiguous
[[nodiscard]] std::vector<inner_range> inner_ranges(const std::vector<std::size_t>& bytes,
                                                    const std::vector<rank_t>& groups,
                                                    std::size_t most);

template <class T>
class part_product {
 public:
  /// Within a collective's barriers.
  part_product(const product_call<T>& call, const product_part& part, const factor_indices& indices,
               block_symmetry symmetry)
      : call_(call),
        part_(part),
        symmetry_(symmetry),
        left_(indices.left, call.a.distribution(), factor_side::left,
              block_numbers(part.rows, call.a.rows().blocks()),
              block_numbers(part.inner, call.a.columns().blocks())),
        right_(indices.right, call.b.distribution(), factor_side::right,
               block_numbers(part.columns, call.b.columns().blocks()),
               block_numbers(part.inner, call.b.rows().blocks())),
        product_(call.a.rows(), call.b.columns(), call.a.columns(), part, call.threads()) {
    const auto of_left = left_.largest_norms(part.inner.size());
    left_.leave_out(right_.largest_norms(part.inner.size()), call.options.filter);
    right_.leave_out(of_left, call.options.filter);
    tile_ =
        tile_for<T>(call, part, left_.blocks().size(), right_.blocks().size(), part.rows.size());
  }

  /// `there` and, unless the pattern is kept, the product's blocks.
  [[nodiscard]] product_pattern pattern(product_pattern there) const {
    if (call_.options.keep_pattern) {
      product_.complete(there);
      return there;
    }
    return product_.pattern(
        tiled(left_.blocks(), part_.rows.size()), tiled(right_.blocks(), part_.columns.size()),
        call_.options.filter, there,
        [&](std::size_t row, std::size_t column) { return is_stored(symmetry_, row, column); });
  }

  void run(product_result<T>& result, std::size_t most_bytes) {
    const auto ranges = this->ranges(most_bytes);
    arrivals now;
    arrivals next;
    const global::quiet_on_failure reads_end;
    begin_reading(ranges.front(), next);
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      quiet();
      now = std::exchange(next, {});
      const bool is_last = i + 1 == ranges.size();
      if (!is_last) begin_reading(ranges[i + 1], next);
      add(std::move(now.left.blocks), std::move(now.right.blocks), result, i == 0, is_last);
    }
  }

  void add(factor_blocks<T> left, factor_blocks<T> right, product_result<T>& result, bool is_first,
           bool is_last) {
    const auto finish = [&](std::size_t i, T* block, std::size_t elements) {
      if (is_last) result.finish(i, block, elements);
    };
    if (const auto merged = count_merged(left, right)) {
      products_ += merged->products;
      operations_ += merged->operations;
      merged_product<T>(call_.a.rows(), call_.b.columns(), call_.a.columns(), part_, merged->meets)
          .add(std::move(left), std::move(right), result.pattern(), result.sums(), is_first,
               call_.threads().worth(static_cast<double>(merged->operations)), finish);
      return;
    }
    const auto a = tiled(std::move(left), part_.rows.size());
    const auto b = tiled(std::move(right), part_.columns.size());
    product_.add(a, b, call_.options.filter, result.pattern(), result.sums(), is_first, finish);
  }

  void note(multiply_report& report) const noexcept {
    report.products += products_ + product_.products();
    report.operations += operations_ + product_.operations();
    report.bytes_read += left_.bytes_read() + right_.bytes_read();
  }

 private:
  struct arrivals {
    typename factor_reading<T>::arrivals left;
    typename factor_reading<T>::arrivals right;
  };
  void begin_reading(inner_range which, arrivals& come) {
    come.left = left_.begin_reading(which, call_.where);
    come.right = right_.begin_reading(which, call_.where);
  }
  [[nodiscard]] tiled_factor<T> tiled(factor_blocks<T> blocks, std::size_t outers) const {
    tiled_factor<T> made(std::move(blocks), outers, part_.inner.size(), tile_);
    if (call_.options.filter > 0) made.sort_by_norm();
    return made;
  }
  struct counts {
    std::uint64_t products = 0;
    std::uint64_t operations = 0;
    std::vector<bool> meets;
  };
  /// Null unless merging is faster.
  [[nodiscard]] std::optional<counts> count_merged(std::span<const factor_block<T>> left,
                                                   std::span<const factor_block<T>> right) const;
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
  block_symmetry symmetry_;
  factor_reading<T> left_;
  factor_reading<T> right_;
  block_product<T> product_;
  std::size_t tile_ = 1;
  std::uint64_t products_ = 0;
  std::uint64_t operations_ = 0;
};

template <class T>
std::optional<typename part_product<T>::counts> part_product<T>::count_merged(
    std::span<const factor_block<T>> left, std::span<const factor_block<T>> right) const {
  const bool has_all_blocks = !call_.options.keep_pattern && symmetry_ == block_symmetry::none;
  if (call_.options.filter > 0 || !has_all_blocks) return {};
  struct line {
    std::uint64_t blocks = 0;
    std::uint64_t elements = 0;
  };
  std::vector<line> of_left(part_.inner.size());
  std::vector<line> of_right(part_.inner.size());
  bool is_finite = true;
  const auto note = [&](const factor_block<T>& each, std::vector<line>& lines, std::size_t size) {
    ++lines[each.inner].blocks;
    lines[each.inner].elements += size;
    is_finite = is_finite && std::isfinite(each.norm);
  };
  const block_sizes& rows = call_.a.rows();
  const block_sizes& columns = call_.b.columns();
  for (const auto& each : left) note(each, of_left, rows.size_of(part_.rows[each.outer]));
  for (const auto& each : right) note(each, of_right, columns.size_of(part_.columns[each.outer]));
  counts all;
  all.meets.resize(part_.inner.size());
  double elements = 0;
  for (std::size_t k = 0; k < part_.inner.size(); ++k) {
    const std::size_t depth = call_.b.rows().size_of(part_.inner[k]);
    if (of_left[k].blocks * of_right[k].blocks == 0) continue;
    all.meets[k] = true;
    elements += static_cast<double>(depth);
    all.products += of_left[k].blocks * of_right[k].blocks;
    all.operations += operations_each<T> * depth * of_left[k].elements * of_right[k].elements;
  }
  const double of_rows = rows.mean();
  const double of_columns = columns.mean();
  const bool is_better =
      time_merged(of_rows * static_cast<double>(part_.rows.size()),
                  of_columns * static_cast<double>(part_.columns.size()), elements) <
      time_of_blocks(static_cast<double>(all.products), of_rows, of_columns, call_.b.rows().mean());
  return is_finite && is_better ? std::optional(all) : std::nullopt;
}

}  // namespace acre::block_matrices
