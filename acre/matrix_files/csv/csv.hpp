// SPDX-License-Identifier: BSD-3-Clause
// Stores and loads tables as text, one row a line, as numpy.savetxt and numpy.loadtxt.
//
//     acre::store_csv("table.csv", m);
//     const auto again = acre::load_csv<double>(acre::world(), "table.csv");
//
// All members must see the file. The old file remains until completion, and after failures.
#pragma once

#include <acre/algorithm/copy.hpp>
#include <acre/algorithm/refused_calls.hpp>
#include <acre/array/matrix.hpp>
#include <acre/array/matrix_view.hpp>
#include <acre/base/bits.hpp>
#include <acre/base/parse_number.hpp>
#include <acre/base/site.hpp>
#include <acre/global/team/succeed_together.hpp>
#include <acre/global/team/team.hpp>
#include <acre/layout/cut.hpp>
#include <acre/matrix_files/csv/detail/csv_file.hpp>
#include <acre/matrix_files/detail/range_extents.hpp>
#include <acre/view/call_ranges.hpp>
#include <acre/view/ranges.hpp>

#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace acre {

struct csv_options {
  /// No part of a number; ' ' accepts any blanks and tabs when reading.
  char delimiter = ',';
  std::size_t header_lines = 0;
  /// First line to write; empty: none.
  std::string header{};
};

template <class T>
concept csv_value = (std::integral<T> && !std::same_as<T, bool>) || std::same_as<T, float> ||
                    std::same_as<T, double>;

namespace matrix_files {

/// Shortest text that is read as an equal value.
template <csv_value T>
void append_csv_value(std::string& text, T value) {
  char digits[64];
  text.append(digits, std::to_chars(digits, digits + sizeof(digits), value).ptr);
}

template <csv_value T>
[[nodiscard]] bool read_csv_value(std::string_view text, T& value) {
  const auto number = base::parse_number<T>(base::without_plus(text));
  if (number) value = *number;
  return number.has_value();
}

template <class R>
[[nodiscard]] std::string csv_rows(R& range, std::size_t columns, char delimiter,
                                   std::size_t first_row, std::size_t rows, const site& where) {
  using T = ranges::value_of<R>;
  std::string text;
  const std::size_t most =
      larger(std::size_t{1}, (std::size_t{1} << 16) / larger(columns, std::size_t{1}));
  std::vector<T> values;
  for (std::size_t done = 0; done < rows && columns != 0; done += most) {
    const std::size_t count = smaller(most, rows - done) * columns;
    const auto first =
        std::ranges::begin(range) + static_cast<std::ptrdiff_t>((first_row + done) * columns);
    values.resize(count);
    acre::copy(std::ranges::subrange(first, first + static_cast<std::ptrdiff_t>(count)), values,
               where);
    for (std::size_t i = 0; i < count; ++i) {
      append_csv_value(text, values[i]);
      text += (i + 1) % columns == 0 ? '\n' : delimiter;
    }
  }
  return text;
}

}  // namespace matrix_files

/// Writes a range of one (a column) or two dimensions, as shortest texts of equal value.
/// Collective; each member writes as many rows. Cost: 1 B, R per run of other members, 6
/// allgathers, 1 allreduce, 1 broadcast. Memory: the text of own rows.
/// @throws acre::error on all members if writing fails; for more than two dimensions
template <ranges::distributed_range R>
  requires csv_value<ranges::value_of<R>>
void store_csv(const std::string& path, R&& range, const csv_options& options = {},
               const site& where = site::current()) {
  view::begin_collective_call("store_csv", where, {{"the name", std::string_view(path)}}, range);
  const team& members = ranges::members(range);
  const auto [rows, columns] =
      matrix_files::csv_extents(matrix_files::extents_of_range(range), where);
  const layout::balanced_cut cut(rows, members.size());
  const std::size_t first = cut.first(members.rank());
  const std::size_t count = cut.first(members.rank() + std::size_t{1}) - first;
  members.barrier(where);  // completes earlier writes
  std::string text;
  global::succeed_together(members, "store_csv", where, [&] {
    matrix_files::require_delimiter("store_csv", options.delimiter, where);
    text = matrix_files::csv_rows(range, columns, options.delimiter, first, count, where);
  });
  matrix_files::write_csv(members, path, options.header, text, where);
}

/// Reads a table into a matrix of balanced boxes. Empty lines, text after #, and a byte-order mark
/// are ignored.
/// Collective; each member reads an equal part. Cost: 4 allgathers, 1 broadcast, construction, W
/// per run of other members, 1 B. Memory: own part of the file, and its values.
/// @throws acre::error on all members if reading fails, or for the first invalid line
template <csv_value T>
[[nodiscard]] matrix<T, 2> load_csv(const team& members, const std::string& path,
                                    const csv_options& options = {},
                                    const site& where = site::current()) {
  std::vector<T> values;
  const auto read = [&](std::string_view text) {
    T value{};
    if (!matrix_files::read_csv_value(text, value)) return false;
    values.push_back(value);
    return true;
  };
  const auto found =
      matrix_files::read_csv(members, path, options.delimiter, options.header_lines, read, where);
  matrix<T, 2> all(members, {found.rows, found.columns}, where);
  auto mine = std::views::drop(all, static_cast<std::ptrdiff_t>(found.first_row * found.columns)) |
              std::views::take(static_cast<std::ptrdiff_t>(values.size()));
  if (!values.empty()) copy(values, mine, where);
  members.barrier(where);
  return all;
}

}  // namespace acre
