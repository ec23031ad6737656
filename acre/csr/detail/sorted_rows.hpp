// SPDX-License-Identifier: BSD-3-Clause
// Compresses entries into rows: bucket sort by row, sort by column, merge equal places.
#pragma once

#include <acre/base/site.hpp>
#include <acre/csr/csr_rows.hpp>
#include <acre/csr/detail/equal_places.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace acre::csr {

template <class T>
struct triple {
  std::uint64_t row;
  column_t column;
  [[no_unique_address]] T value;
};

[[noreturn]] void throw_no_place(const char* call, std::size_t row, std::size_t column,
                                 std::size_t rows, std::size_t columns, const site& where);

struct refuse_equal {
  site where;
  std::size_t first;
  std::size_t first_column = 0;
};

template <class T>
struct rows_of_triples {
  std::vector<std::uint64_t> offsets;
  std::vector<std::pair<column_t, T>> entries;

  rows_of_triples(const std::vector<triple<T>>& all, std::size_t rows)
      : offsets(rows + 1), entries(all.size()) {
    for (const triple<T>& each : all) ++offsets[each.row + 1];
    for (std::size_t row = 0; row < rows; ++row) offsets[row + 1] += offsets[row];
    std::vector<std::uint64_t> next(offsets.begin(), offsets.end() - 1);
    for (const triple<T>& each : all) entries[next[each.row]++] = {each.column, each.value};
  }
};

template <class T, class Rule>
[[nodiscard]] csr_part<T> sorted_rows(std::vector<triple<T>>&& all, std::size_t rows, Rule rule) {
  rows_of_triples<T> unsorted(all, rows);
  std::vector<triple<T>>().swap(all);
  csr_part<T> part;
  part.columns.reserve(unsorted.entries.size());
  for (std::size_t row = 0; row < rows; ++row) {
    const auto begin =
        unsorted.entries.begin() + static_cast<std::ptrdiff_t>(unsorted.offsets[row]);
    const auto end =
        unsorted.entries.begin() + static_cast<std::ptrdiff_t>(unsorted.offsets[row + 1]);
    std::sort(begin, end, [](const auto& a, const auto& b) { return a.first < b.first; });
    const std::size_t row_begin = part.columns.size();
    for (auto each = begin; each != end; ++each) {
      if (part.columns.size() == row_begin || part.columns.back() != each->first) {
        part.add(each->first, each->second);
      } else if constexpr (std::is_same_v<Rule, refuse_equal>) {
        throw equal_places(rule.first + row, rule.first_column + each->first, rule.where);
      } else if constexpr (!std::is_empty_v<T>) {
        part.values.back() = static_cast<T>(rule(part.values.back(), each->second));
      }
    }
    part.end_row();
  }
  return part;
}

}  // namespace acre::csr
