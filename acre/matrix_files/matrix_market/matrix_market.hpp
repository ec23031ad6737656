// SPDX-License-Identifier: BSD-3-Clause
// Stores and loads sparse matrices in Matrix Market files (NISTIR 5935, 1996).
//
//     const auto a = acre::load_matrix_market<double>(acre::world(), "bcsstk13.mtx");
//     acre::store_matrix_market("copy.mtx", a, acre::market_symmetry::symmetric);
#pragma once

#include <acre/base/checks.hpp>
#include <acre/base/error.hpp>
#include <acre/base/site.hpp>
#include <acre/csr/csr_builder.hpp>
#include <acre/csr/csr_matrix.hpp>
#include <acre/global/team/same_call.hpp>
#include <acre/global/team/succeed_together.hpp>
#include <acre/global/team/team.hpp>
#include <acre/global/team/team_file.hpp>
#include <acre/matrix_files/matrix_market/detail/matrix_market_text.hpp>
#include <acre/matrix_files/matrix_market/detail/mirrored_entries.hpp>

#include <algorithm>
#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace acre {

/// Types of entries.
template <class T>
concept matrix_market_value =
    std::same_as<T, present> || std::integral<T> || std::same_as<T, float> ||
    std::same_as<T, double> || std::same_as<T, std::complex<float>> ||
    std::same_as<T, std::complex<double>>;

/// general, symmetric, skew or hermitian
using base::market_symmetry;

namespace matrix_files {

template <matrix_market_value T>
struct entries_of_share {
  struct entry {
    std::uint64_t row;
    std::uint64_t column;
    [[no_unique_address]] T value;
  };
  std::vector<entry> entries;

  void read(market_share& lines) {
    const base::market_header& header = lines.header();
    while (const auto line = lines.next()) {
      T value{};
      if constexpr (std::is_empty_v<T>) {
        const bool is_zero = header.field != base::market_field::pattern && has_zero(*line, header);
        if (header.layout == base::market_layout::array && is_zero) continue;
      } else {
        value = base::read_market_value<T>(*line, header);
        if (header.layout == base::market_layout::array && value == T{}) continue;
        if (!has_mirrored(value, header.symmetry)) market_share::throw_no_negative(line->value);
      }
      entries.push_back({line->row, line->column, value});
    }
  }

  void add_to(csr_builder<T>& triples, base::market_symmetry symmetry) const {
    for (const entry& each : entries) {
      triples.add(each.row, each.column, each.value);
      if (symmetry == base::market_symmetry::general || each.row == each.column) continue;
      triples.add(each.column, each.row, mirrored(each.value, symmetry));
    }
  }

 private:
  /// @throws bad_line
  static bool has_zero(const base::market_entry& entry, const base::market_header& header) {
    const bool is_real_zero = base::read_market_number<double>(entry.value) == 0;
    if (header.field != base::market_field::complex) return is_real_zero;
    return base::read_market_number<double>(entry.imaginary) == 0 && is_real_zero;
  }
};

}  // namespace matrix_files

/// Reads coordinate files, and the non-zero elements of array files, also gzip. Accepts entries
/// above the diagonal of a symmetric matrix with a warning. Rows are cut equally or as `rows`.
/// Collective. Cost: 4 allgathers, 1 broadcast, 1 allreduce (arrays: also 1 scan) + csr_builder.
/// @throws acre::error on all members, with path and line, for files that are invalid or unfit for
/// T
template <matrix_market_value T>
[[nodiscard]] csr_matrix<T> load_matrix_market(const team& members, const std::string& path,
                                               const std::optional<row_cut>& rows = std::nullopt,
                                               const site& where = site::current()) {
  auto file = global::team_file::open(members, path, "load_matrix_market", where);
  constexpr bool may_be_complex = std::is_empty_v<T> || base::is_complex<T>;
  matrix_files::market_share lines(file, may_be_complex ? matrix_files::market_numbers::complex
                                                        : matrix_files::market_numbers::real);
  matrix_files::entries_of_share<T> mine;
  base::market_header header;
  lines.read_all([&] {
    header = lines.header();
    matrix_files::check_market_type(lines, std::is_integral_v<T>, std::is_unsigned_v<T>);
    mine.read(lines);
  });
  const row_cut cut = rows ? *rows : row_cut::equal(header.rows, members.size());
  csr::check_equal("load_matrix_market", "the rows of the file", header.rows, "the rows of the cut",
                   cut.rows(), where);
  csr_builder<T> triples(members, cut, header.columns, where);
  global::succeed_together(
      members, "load_matrix_market", where, [&] { mine.add_to(triples, header.symmetry); },
      "adding its entries");
  try {
    return triples.finish(where);
  } catch (const std::exception& failure) {
    csr::throw_equal_places(members, "load_matrix_market", path, 1, failure, where);
  }
}

/// Writes a coordinate file: all entries, or with a symmetry those from the diagonal down, which
/// load_matrix_market() completes (skew: without the diagonal, which is 0). The old file remains
/// until completion. Collective. Cost: 2 allreduces, 1 scan + team_file; with a symmetry
/// transpose() and 2 allreduces more.
/// @throws acre::error on all members when writing fails, or `a` does not have the symmetry
template <matrix_market_value T>
void store_matrix_market(const std::string& path, const csr_matrix<T>& a,
                         market_symmetry symmetry = market_symmetry::general,
                         const site& where = site::current()) {
  const csr_rows<T> rows = a.local();
  const bool is_half = symmetry != market_symmetry::general;
  std::uint64_t entries = 0;
  matrix_files::market_text text;
  const auto each_row = [&](auto&& take) {
    for (std::size_t row = 0; row < rows.count; ++row) {
      const std::size_t matrix_row = rows.first + row;
      const std::size_t end = symmetry == market_symmetry::skew ? matrix_row : matrix_row + 1;
      for (std::size_t i = rows.begin_of(row); i < rows.end_of(row); ++i) {
        if (is_half && rows.columns[i] >= end) break;
        text.entry(matrix_row, rows.columns[i]);
        if constexpr (!std::is_empty_v<T>) text.value(rows.value(i));
        ++entries;
      }
      take();
    }
  };
  if constexpr (base::has_checks) {
    global::require_same_call(a.members(), global::common_call("store_matrix_market", where)
                                               .with_identity("the matrix", a.identity())
                                               .with("symmetry", std::uint64_t(symmetry)));
  }
  if (is_half) matrix_files::require_symmetry(a, symmetry, where);
  std::uint64_t bytes = 0;
  global::succeed_together(
      a.members(), "store_matrix_market", where,
      [&] {
        each_row([&] {
          bytes += text.size();
          text.clear();
        });
      },
      "formatting its rows");
  constexpr auto field = std::is_empty_v<T>      ? base::market_field::pattern
                         : base::is_complex<T>   ? base::market_field::complex
                         : std::is_integral_v<T> ? base::market_field::integer
                                                 : base::market_field::real;
  entries = is_half ? a.members().allreduce(entries, op::sum, where) : a.entries();
  const std::string head =
      matrix_files::market_head(field, a.rows(), a.columns(), entries, symmetry);
  std::uint64_t place = head.size() + a.members().exclusive_scan(bytes, 0, op::sum, where);
  auto file = global::team_file::create(a.members(), path, "store_matrix_market", where);
  if (file.is_first()) file.write(0, std::as_bytes(std::span(head)));
  file.share();
  const auto write = [&](std::size_t least) {
    if (text.size() < least) return;
    file.write(place, std::as_bytes(text.all()));
    place += text.size();
    text.clear();
  };
  global::succeed_together(
      a.members(), "store_matrix_market", where,
      [&] {
        each_row([&] { write(std::size_t{1} << 20); });
        write(1);
      },
      "writing its rows");
  file.finish();
}

}  // namespace acre
