// SPDX-License-Identifier: BSD-3-Clause
// Computes rows of a sparse product. The number of products bounds a row's length and selects dense
// or hashed accumulation; rows of one factor are copied.
#pragma once

#include <acre/csr/csr_matrix.hpp>
#include <acre/csr/detail/chunk_board.hpp>
#include <acre/csr/detail/result_pieces.hpp>
#include <acre/csr/detail/row_accumulator.hpp>
#include <acre/csr/detail/rows_at_hand.hpp>
#include <acre/csr/mask.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

namespace acre::csr {

template <class S, class A, class B, class Mask>
class row_products {
  using value = typename S::value_type;
  static constexpr bool is_masked = !std::is_same_v<Mask, no_mask>;

 public:
  row_products(const csr_matrix<A>& a, const csr_matrix<B>& b, const Mask& mask)
      : a_(a),
        mask_(mask),
        columns_(b.columns()),
        b_(b, {a.local().columns, a.local().entries()}) {}

  struct forecast {
    std::vector<std::uint64_t> works;
    std::size_t most_entries = 0;
  };
  [[nodiscard]] forecast look_ahead() const {
    const csr_rows<A> rows = a_.local();
    const rank_t me = a_.members().rank();
    forecast found{std::vector<std::uint64_t>(rows.count)};
    for (std::size_t row = 0; row < rows.count; ++row) {
      const auto columns = rows.columns_of(row);
      std::size_t products = 0;
      b_.each(columns, [&](std::size_t, const auto& of_b) { products += of_b.count; });
      found.works[row] = 1 + columns.size() + products;
      found.most_entries += most_of(products, mask_.columns_of(me, row));
    }
    return found;
  }
  /// Local result entries. Cost: as computing them.
  [[nodiscard]] std::size_t count() {
    const csr_rows<A> rows = a_.local();
    const rank_t me = a_.members().rank();
    result_pieces<value> pieces;
    std::size_t entries = 0;
    for (std::size_t row = 0; row < rows.count; ++row) {
      entries += make_row(rows, row, mask_.columns_of(me, row), pieces);
      pieces.clear();
    }
    return entries;
  }

  void make(const chunk_board::chunk& chunk, std::span<std::uint64_t> lengths,
            result_pieces<value>& pieces) {
    const csr_rows<A> rows = a_.near_rows(chunk.owner);
    for (std::size_t row = chunk.first; row < chunk.last; ++row) {
      lengths[row] = make_row(rows, row, mask_.columns_of(chunk.owner, row), pieces);
    }
  }

 private:
  struct factor {
    typename rows_at_hand<B>::row row;
    [[no_unique_address]] A value;
  };

  [[nodiscard]] std::size_t most_of(std::size_t products, std::span<const column_t> mask) const {
    return std::min(products, Mask::keeps_listed ? mask.size() : columns_);
  }

  std::size_t make_row(const csr_rows<A>& rows, std::size_t row, std::span<const column_t> mask,
                       result_pieces<value>& pieces) {
    const std::size_t products = collect(rows, row);
    if (products == 0 || (Mask::keeps_listed && mask.empty())) return 0;
    const auto place = pieces.room_for(most_of(products, mask));
    std::size_t count = 0;
    const auto emit = [&](column_t column, const value& sum) {
      place.columns[count] = column;
      place.values[count] = sum;
      ++count;
    };
    if (!is_masked && factors_.size() == 1) {
      each_product(factors_.front(), emit);
    } else if (products < columns_ / least_share) {
      sum_hashed(products, mask, emit);
    } else {
      sum_dense(products, mask, emit);
    }
    pieces.keep(count);
    return count;
  }

  std::size_t collect(const csr_rows<A>& rows, std::size_t row) {
    factors_.clear();
    std::size_t products = 0;
    const std::size_t begin = rows.begin_of(row);
    b_.each(rows.columns_of(row), [&](std::size_t i, const auto& of_b) {
      if (of_b.count == 0) return;
      products += of_b.count;
      factors_.push_back({of_b, rows.value(begin + i)});
    });
    return products;
  }

  template <class Use>
  static void each_product(const factor& of, Use&& use) {
    const column_t* const columns = of.row.columns;
    for (std::size_t i = 0; i < of.row.count; ++i) {
      if constexpr (std::is_empty_v<B>) {
        use(columns[i], static_cast<value>(S::multiply(of.value, B{})));
      } else {
        use(columns[i], static_cast<value>(S::multiply(of.value, of.row.values[i])));
      }
    }
  }

  template <class Use>
  void each_product(Use&& use) const {
    for (std::size_t i = 0; i < factors_.size(); ++i) {
      if (i + ahead < factors_.size()) prefetch(factors_[i + ahead].row);
      each_product(factors_[i], use);
    }
  }
  static void prefetch(const typename rows_at_hand<B>::row& row) noexcept {
    __builtin_prefetch(row.columns);
    __builtin_prefetch(row.columns + 16);
    if constexpr (!std::is_empty_v<B>) {
      __builtin_prefetch(row.values);
      __builtin_prefetch(row.values + 8);
    }
  }

  template <class Emit>
  void sum_hashed(std::size_t products, std::span<const column_t> mask, Emit& emit) {
    hashed_.reserve(products);
    each_product([&](column_t column, const value& product) {
      if constexpr (is_masked) {
        if (std::ranges::binary_search(mask, column) != Mask::keeps_listed) return;
      }
      hashed_.add(column, product);
    });
    hashed_.drain(emit);
  }

  template <class Emit>
  void sum_dense(std::size_t products, std::span<const column_t> mask, Emit& emit) {
    if (!dense_) dense_.emplace(columns_);
    if constexpr (is_masked) {
      sum_masked(mask, emit);
    } else if (products >= columns_ / 8) {
      each_product(
          [&](column_t column, const value& product) { dense_->add_unlisted(column, product); });
      dense_->drain_all(emit);
    } else {
      each_product([&](column_t column, const value& product) { dense_->add(column, product); });
      dense_->drain(emit);
    }
  }

  template <class Emit>
  void sum_masked(std::span<const column_t> mask, Emit& emit) {
    if (listed_ == nullptr) listed_ = std::make_unique<std::uint8_t[]>(columns_);
    for (const column_t column : mask) listed_[column] = 1;
    each_product([&](column_t column, const value& product) {
      if ((listed_[column] != 0) == Mask::keeps_listed) dense_->add(column, product);
    });
    for (const column_t column : mask) listed_[column] = 0;
    dense_->drain(emit);
  }

  /// Hashed if products < columns / least_share.
  static constexpr std::size_t least_share = 2048;
  static constexpr std::size_t ahead = 3;

  const csr_matrix<A>& a_;
  const Mask& mask_;
  std::size_t columns_;
  rows_at_hand<B> b_;
  std::vector<factor> factors_;
  std::optional<dense_accumulator<S>> dense_;
  hashed_accumulator<S> hashed_;
  std::unique_ptr<std::uint8_t[]> listed_;
};

}  // namespace acre::csr
