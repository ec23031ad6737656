// SPDX-License-Identifier: BSD-3-Clause
// Rows for a product: in place if mapped, else copies of the needed ones.
#pragma once

#include <acre/csr/csr_matrix.hpp>
#include <acre/csr/detail/column_plan.hpp>
#include <acre/global/memory/put_get.hpp>
#include <acre/global/memory/quiet_on_failure.hpp>
#include <acre/global/transfer/completion.hpp>
#include <acre/global/transfer/indexed.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

namespace acre::csr {

template <class T>
class rows_at_hand {
 public:
  /// @param needed  any order, with duplicates; ignored if all rows are mapped
  rows_at_hand(const csr_matrix<T>& matrix, std::span<const column_t> needed) : cut_(matrix.cut()) {
    for (rank_t member = 0; member < cut_.members(); ++member) {
      near_.push_back(matrix.near_rows(member));
    }
    if (!matrix.is_near()) fetch(matrix, make_column_plan(needed, cut_));
  }

  struct row {
    const column_t* columns;
    const T* values;
    std::size_t count;
  };

  template <class Use>
  void each(std::span<const column_t> wanted, Use&& use) const {
    rank_t member = 0;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      while (wanted[i] >= cut_.first_of(member + 1)) ++member;
      const csr_rows<T>& rows = near_[member];
      if (rows.offsets != nullptr) [[likely]] {
        const std::size_t number = wanted[i] - rows.first;
        const std::size_t begin = rows.begin_of(number);
        use(i,
            row{rows.columns + begin, value_at(rows.values, begin), rows.end_of(number) - begin});
      } else {
        use(i, far_[member].find(wanted[i]));
      }
    }
  }

 private:
  static const T* value_at(const T* values, std::size_t place) noexcept {
    return std::is_empty_v<T> ? nullptr : values + place;
  }

  struct copies {
    std::vector<column_t> numbers;
    std::vector<column_t> slots;
    std::vector<std::uint64_t> begins;
    std::vector<std::uint64_t> ends;
    std::vector<std::uint64_t> places;
    std::unique_ptr<column_t[]> columns;
    std::unique_ptr<T[]> values;

    /// A table replaces searches unless it would be much longer than `numbers`.
    void number_slots() {
      if (numbers.empty()) return;
      const std::size_t reach = numbers.back() - numbers.front() + std::size_t{1};
      if (reach > most_of_reach * numbers.size()) return;
      slots.resize(reach);
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        slots[numbers[i] - numbers.front()] = static_cast<column_t>(i);
      }
    }
    [[nodiscard]] std::size_t slot_of(column_t number) const {
      if (!slots.empty()) return slots[number - numbers.front()];
      return static_cast<std::size_t>(std::ranges::lower_bound(numbers, number) - numbers.begin());
    }
    [[nodiscard]] row find(column_t number) const {
      const std::size_t at = slot_of(number);
      return {columns.get() + places[at], value_at(values.get(), places[at]),
              ends[at] - begins[at]};
    }
  };

  /// Two rounds: row bounds, then entries.
  void fetch(const csr_matrix<T>& matrix, const column_plan& plan) {
    far_.resize(cut_.members());
    std::vector<std::vector<std::uint64_t>> asked(cut_.members());
    const global::quiet_on_failure reads_end;
    for (rank_t member = 0; member < cut_.members(); ++member) {
      if (near_[member].offsets != nullptr) continue;
      copies& rows = far_[member];
      rows.numbers.assign(
          plan.needed.begin() + static_cast<std::ptrdiff_t>(plan.begins[member]),
          plan.needed.begin() + static_cast<std::ptrdiff_t>(plan.begins[member + 1]));
      rows.number_slots();
      for (const column_t number : rows.numbers) {
        asked[member].push_back(number - cut_.first_of(member));
      }
      rows.begins.resize(rows.numbers.size());
      rows.ends.resize(rows.numbers.size());
      get_indexed_nbi(matrix.offsets_of(member), asked[member], std::span(rows.begins));
      get_indexed_nbi(matrix.offsets_of(member) + 1, asked[member], std::span(rows.ends));
    }
    quiet();
    for (rank_t member = 0; member < cut_.members(); ++member) {
      if (near_[member].offsets == nullptr) fetch_entries(matrix, member);
    }
    quiet();
  }

  void fetch_entries(const csr_matrix<T>& matrix, rank_t member) {
    copies& rows = far_[member];
    struct run {
      std::uint64_t begin;
      std::uint64_t end;
      std::uint64_t place;
    };
    std::vector<run> runs;
    std::uint64_t all = 0;
    for (std::size_t i = 0; i < rows.numbers.size(); ++i) {
      if (runs.empty() || rows.begins[i] > runs.back().end + most_between) {
        if (!runs.empty()) all += runs.back().end - runs.back().begin;
        runs.push_back({rows.begins[i], rows.begins[i], all});
      }
      rows.places.push_back(runs.back().place + (rows.begins[i] - runs.back().begin));
      runs.back().end = rows.ends[i];
    }
    if (!runs.empty()) all += runs.back().end - runs.back().begin;
    rows.columns = std::make_unique_for_overwrite<column_t[]>(all);
    if constexpr (!std::is_empty_v<T>) rows.values = std::make_unique_for_overwrite<T[]>(all);
    for (const run& each : runs) {
      const auto begin = static_cast<std::ptrdiff_t>(each.begin);
      const std::size_t length = each.end - each.begin;
      get_nbi(matrix.columns_of(member) + begin,
              std::span<column_t>(rows.columns.get() + each.place, length));
      if constexpr (!std::is_empty_v<T>) {
        get_nbi(matrix.values_of(member) + begin,
                std::span<T>(rows.values.get() + each.place, length));
      }
    }
  }

  static constexpr std::uint64_t most_between = 64;
  static constexpr std::size_t most_of_reach = 8;

  row_cut cut_;
  std::vector<csr_rows<T>> near_;
  std::vector<copies> far_;
};

}  // namespace acre::csr
