// SPDX-License-Identifier: BSD-3-Clause
#include <acre/matrix_files/matrix_market/block_matrix_market.hpp>

#include <acre/base/error.hpp>
#include <acre/block/block_values.hpp>
#include <acre/block/for_block_elements.hpp>
#include <acre/global/team/succeed_together.hpp>
#include <acre/global/team/team_file.hpp>
#include <acre/matrix_files/detail/each_stored_element.hpp>
#include <acre/matrix_files/detail/element_exchange.hpp>
#include <acre/matrix_files/matrix_market/detail/matrix_market_text.hpp>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace acre {
namespace {

using base::bad_line;
using base::is_complex;
using base::market_field;
using base::market_header;
using base::market_symmetry;
using matrix_files::market_share;

template <class T>
market_symmetry name_of(block_symmetry symmetry) {
  switch (symmetry) {
    case block_symmetry::symmetric:
      return market_symmetry::symmetric;
    case block_symmetry::antisymmetric:
      return market_symmetry::skew;
    case block_symmetry::hermitian:
      return is_complex<T> ? market_symmetry::hermitian : market_symmetry::symmetric;
    case block_symmetry::none:
      break;
  }
  return market_symmetry::general;
}

block_symmetry meaning_of(market_symmetry symmetry) {
  switch (symmetry) {
    case market_symmetry::symmetric:
      return block_symmetry::symmetric;
    case market_symmetry::skew:
      return block_symmetry::antisymmetric;
    case market_symmetry::hermitian:
      return block_symmetry::hermitian;
    case market_symmetry::general:
      break;
  }
  return block_symmetry::none;
}

template <class T>
bool is_made_of(block_symmetry wanted, const market_header& header) {
  if (wanted == block_symmetry::none || name_of<T>(wanted) == header.symmetry) return true;
  return wanted == block_symmetry::hermitian && header.symmetry == market_symmetry::symmetric &&
         header.field != market_field::complex;
}

template <class T>
void check_header(const market_header& header, const block_distribution& lies,
                  block_symmetry wanted) {
  if (!is_made_of<T>(wanted, header)) {
    throw bad_line{"the file does not have the requested symmetry",
                   "load it with block_symmetry::none, or with the symmetry of the file"};
  }
  const std::size_t rows = lies.rows().elements();
  const std::size_t columns = lies.columns().elements();
  if (header.rows == rows && header.columns == columns) return;
  throw bad_line{"the file has " + std::to_string(header.rows) + " rows and " +
                     std::to_string(header.columns) + " columns, but the distribution has " +
                     std::to_string(rows) + " and " + std::to_string(columns),
                 "use block_sizes::covering(rows, size) for the size of the file"};
}

template <class T>
void read_share(market_share& lines, matrix_files::element_exchange<T>& elements) {
  const market_header& header = lines.header();
  const block_symmetry other = meaning_of(header.symmetry);
  while (const auto line = lines.next()) {
    const T value = base::read_market_value<T>(*line, header);
    if (header.layout == base::market_layout::array && value == T{}) continue;
    elements.add(line->row, line->column, value);
    if (other == block_symmetry::none || line->row == line->column) continue;
    elements.add(line->column, line->row, block_matrices::mirrored(value, other));
  }
}

template <class T, class F>
void each_entry(const block_matrix<T>& matrix, F&& f) {
  const bool has_diagonal = matrix.symmetry() != block_symmetry::antisymmetric;
  matrix_files::each_stored_element(matrix,
                                    [&](std::size_t row, std::size_t column, const T& value) {
                                      if (row != column || has_diagonal) f(row, column, value);
                                    });
}

template <class T>
std::uint64_t checked_entries(const block_matrix<T>& matrix, const site& where) {
  std::uint64_t entries = 0;
  each_entry(matrix, [&](std::size_t, std::size_t, const T&) { ++entries; });
  matrix_files::check_diagonal("store_matrix_market", matrix, where);
  return entries;
}

template <class T, class F>
void each_piece(const block_matrix<T>& matrix, F&& f) {
  constexpr std::size_t piece_bytes = std::size_t{1} << 20;
  constexpr std::size_t entries_between = 1024;
  matrix_files::market_text text;
  std::size_t entries = 0;
  each_entry(matrix, [&](std::size_t row, std::size_t column, const T& value) {
    text.entry(row, column);
    text.value(value);
    if (++entries % entries_between != 0 || text.size() < piece_bytes) return;
    f(text.all());
    text.clear();
  });
  f(text.all());
}

template <class T>
std::string head_of(const block_matrix<T>& matrix, std::uint64_t entries) {
  return matrix_files::market_head(is_complex<T> ? market_field::complex : market_field::real,
                                   matrix.rows().elements(), matrix.columns().elements(), entries,
                                   name_of<T>(matrix.symmetry()));
}

}  // namespace

template <class T>
void store_matrix_market(const std::string& path, const block_matrix<T>& matrix,
                         const site& where) {
  const team& members = matrix.members();
  std::uint64_t entries = 0;
  std::uint64_t bytes = 0;
  global::succeed_together(
      members, "store_matrix_market", where,
      [&] {
        entries = checked_entries(matrix, where);
        each_piece(matrix, [&](std::span<const char> text) { bytes += text.size(); });
      },
      "the check of its elements");
  entries = members.allreduce(entries, op::sum, where);
  const std::string head = head_of(matrix, entries);
  std::uint64_t place = head.size() + members.exclusive_scan(bytes, 0, op::sum, where);
  auto file = global::team_file::create(members, path, "store_matrix_market", where);
  if (file.is_first()) file.write(0, std::as_bytes(std::span(head)));
  file.share();
  each_piece(matrix, [&](std::span<const char> text) {
    file.write(place, std::as_bytes(text));
    place += text.size();
  });
  file.finish();
}

template <class T>
block_matrix<T> load_matrix_market(const team& members, const std::string& path,
                                   const block_distribution& lies, block_symmetry symmetry,
                                   const site& where) {
  block_matrix<T> loaded(members, lies, symmetry, where);
  auto file = global::team_file::open(members, path, "load_matrix_market", where);
  market_share lines(file, is_complex<T> ? matrix_files::market_numbers::complex
                                         : matrix_files::market_numbers::real);
  matrix_files::element_exchange<T> elements(lies, symmetry);
  lines.read_all([&] {
    check_header<T>(lines.header(), lies, symmetry);
    read_share(lines, elements);
  });
  elements.give_to(loaded, "load_matrix_market", path, where);
  return loaded;
}

#define ACRE_INSTANTIATE(T)                                                                   \
  template void store_matrix_market(const std::string&, const block_matrix<T>&, const site&); \
  template block_matrix<T> load_matrix_market<T>(                                             \
      const team&, const std::string&, const block_distribution&, block_symmetry, const site&);
ACRE_FOR_BLOCK_ELEMENTS(ACRE_INSTANTIATE)
#undef ACRE_INSTANTIATE

}  // namespace acre
