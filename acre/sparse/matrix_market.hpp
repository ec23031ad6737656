// Sparse matrices in files of Matrix Market, read and written by all ranks at once.
//
//     const auto a = acre::load_matrix_market<double>(acre::world(), "bcsstk13.mtx");
//     acre::store_matrix_market("copy.mtx", a);
//
// Each rank reads a share of the file's bytes, and sends entries to who has their rows. Coordinate
// files of real numbers, integers or patterns can be read, general, symmetric or skew-symmetric;
// what is written is general. What is wrong with a file is one error on all ranks, which names the
// file and the line. A file that is written has its name when it is whole.
//
// Source: Boisvert, Pozo, Remington: The Matrix Market exchange formats, NISTIR 5935, 1996.
#pragma once

#include <acre/algorithm/team_file.hpp>
#include <acre/base/error.hpp>
#include <acre/base/site.hpp>
#include <acre/global/succeed_together.hpp>
#include <acre/global/team.hpp>
#include <acre/sparse/csr_builder.hpp>
#include <acre/sparse/csr_matrix.hpp>
#include <acre/sparse/detail/matrix_market_text.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace acre {

/// What an entry of such a file can become: a number, or nothing but that it is there.
template <class T>
concept matrix_market_value = std::same_as<T, present> || std::integral<T> ||
                              std::same_as<T, float> || std::same_as<T, double>;

namespace detail {

/// This member's entries of a file, by its lines.
template <matrix_market_value T>
struct entries_of_share {
  struct entry {
    std::uint64_t row;
    std::uint64_t column;
    [[no_unique_address]] T value;
  };
  std::vector<entry> entries;

  void read(market_share& lines) {
    const market_header& header = lines.header();
    while (const auto line = lines.next()) {
      T value{};
      if constexpr (!std::is_empty_v<T>) {
        value = header.field == market_field::pattern
                    ? T{1}
                    : static_cast<T>(lines.template number<T>(line->value));
      } else if (header.field != market_field::pattern) {
        static_cast<void>(lines.template number<double>(line->value));
      }
      if constexpr (std::signed_integral<T>) check_negative(lines, line->value, value);
      entries.push_back({line->row, line->column, value});
    }
  }

  /// The least integer has no negative. @throws bad_line
  static void check_negative(const market_share& lines, std::string_view text, T value)
    requires std::signed_integral<T>
  {
    if (lines.header().symmetry != market_symmetry::skew) return;
    if (value == std::numeric_limits<T>::min()) market_share::throw_no_negative(text);
  }

  /// Gives them to a builder, and what they stand for by symmetry.
  void add_to(csr_builder<T>& triples, market_symmetry symmetry) const {
    for (const entry& each : entries) {
      triples.add(each.row, each.column, each.value);
      if (symmetry == market_symmetry::general || each.row == each.column) continue;
      if constexpr (std::is_empty_v<T>) {
        triples.add(each.column, each.row);
      } else {
        const bool turns = symmetry == market_symmetry::skew;
        triples.add(each.column, each.row, turns ? static_cast<T>(T{} - each.value) : each.value);
      }
    }
  }
};

}  // namespace detail

/// Its rows are cut equally, or as `rows` says. Collective. Cost: 3 allgathers and 1 allreduce, and
/// as csr_builder.
/// @throws acre::error on all members when the file cannot be read, or has what T cannot hold
template <matrix_market_value T>
[[nodiscard]] csr_matrix<T> load_matrix_market(const team& members, const std::string& path,
                                               const std::optional<row_cut>& rows = std::nullopt,
                                               const site& where = site::current()) {
  auto file = detail::team_file::open(members, path, "load_matrix_market", where);
  detail::market_share lines(file);
  detail::entries_of_share<T> mine;
  detail::market_header header;
  lines.read_all([&] {
    header = lines.header();
    detail::check_market_type(lines, std::is_integral_v<T>, std::is_unsigned_v<T>);
    mine.read(lines);
  });
  const row_cut cut = rows ? *rows : row_cut::equal(header.rows, members.size());
  detail::check_equal("load_matrix_market", "the rows of the file", header.rows, "those of the cut",
                      cut.rows(), where);
  csr_builder<T> triples(members, cut, header.columns, where);
  detail::succeed_together(
      members, "load_matrix_market", where, [&] { mine.add_to(triples, header.symmetry); },
      "its entries");
  try {
    return triples.finish(where);
  } catch (const std::exception& failure) {
    detail::throw_equal_places(members, "load_matrix_market", path, 1, failure, where);
  }
}

/// Collective. Cost: 2 allreduces, 2 allgathers, and as team_file.
/// @throws acre::error on all members when the file cannot be written, or an entry is no number
template <matrix_market_value T>
void store_matrix_market(const std::string& path, const csr_matrix<T>& a,
                         const site& where = site::current()) {
  const csr_rows<T> rows = a.local();
  detail::market_text text;
  const auto each_row = [&](auto&& take) {
    for (std::size_t row = 0; row < rows.count; ++row) {
      for (std::size_t i = rows.begin_of(row); i < rows.end_of(row); ++i) {
        text.entry(rows.first + row, rows.columns[i]);
        if constexpr (!std::is_empty_v<T>) text.value(rows.value(i));
      }
      take();
    }
  };
  std::uint64_t bytes = 0;
  detail::succeed_together(
      a.members(), "store_matrix_market", where,
      [&] {
        each_row([&] {
          bytes += text.size();
          text.clear();
        });
      },
      "an entry of its rows");
  constexpr auto field = std::is_empty_v<T>      ? detail::market_field::pattern
                         : std::is_integral_v<T> ? detail::market_field::integer
                                                 : detail::market_field::real;
  const std::string head = detail::market_head(field, a.rows(), a.columns(), a.entries());
  std::uint64_t place = head.size() + a.members().exclusive_scan(bytes, 0, op::sum, where);
  auto file = detail::team_file::create(a.members(), path, "store_matrix_market", where);
  if (file.is_first()) file.write(0, std::as_bytes(std::span(head)));
  file.share();
  const auto write = [&](std::size_t least) {
    if (text.size() < least) return;
    file.write(place, std::as_bytes(text.all()));
    place += text.size();
    text.clear();
  };
  detail::succeed_together(
      a.members(), "store_matrix_market", where,
      [&] {
        each_row([&] { write(std::size_t{1} << 20); });
        write(1);
      },
      "its rows");
  file.finish();
}

}  // namespace acre
