// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/matrix_market_grammar.hpp>

#include <acre/base/in_quotes.hpp>

#include <algorithm>
#include <cctype>

namespace acre::base {
namespace {

constexpr std::string_view blanks = " \t\r\f\v";

std::string_view word_of(std::string_view& text) {
  const std::size_t begin = std::min(text.find_first_not_of(blanks), text.size());
  text.remove_prefix(begin);
  const std::size_t end = std::min(text.find_first_of(blanks), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(end);
  return word;
}

std::string lower_word_of(std::string_view& text) {
  std::string word(word_of(text));
  std::ranges::transform(word, word.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return word;
}

std::uint64_t count_of(std::string_view& text, const char* what) {
  const std::string_view word = word_of(text);
  if (word.empty()) throw bad_line{std::string("the line ends before ") + what, ""};
  std::uint64_t count = 0;
  const char* const begin = word.data();
  const char* const end = begin + word.size();
  const auto [behind, problem] = std::from_chars(begin, end, count);
  if (problem == std::errc::result_out_of_range) {
    throw bad_line{in_quotes(word) + " is too large for " + what, ""};
  }
  if (problem != std::errc() || behind != end) {
    throw bad_line{in_quotes(word) + " is invalid as " + what,
                   "give a whole number without a sign"};
  }
  return count;
}

void expect_end(std::string_view text) {
  const std::string_view more = word_of(text);
  if (!more.empty())
    throw bad_line{"unexpected text at the end of the line: " + in_quotes(more), ""};
}

market_layout layout_of(const std::string& word) {
  if (word == "coordinate") return market_layout::coordinate;
  if (word == "array") return market_layout::array;
  throw bad_line{"the layout " + in_quotes(word) + " is unknown", "it must be coordinate or array"};
}

market_field field_of(const std::string& word) {
  if (word == "pattern") return market_field::pattern;
  if (word == "integer" || word == "unsigned-integer") return market_field::integer;
  if (word == "real" || word == "double") return market_field::real;
  if (word == "complex") return market_field::complex;
  throw bad_line{"the field " + in_quotes(word) + " is unknown",
                 "it must be pattern, integer, real or complex"};
}

market_symmetry symmetry_of(const std::string& word, market_field field) {
  if (word == "general") return market_symmetry::general;
  if (word == "symmetric") return market_symmetry::symmetric;
  if (word == "skew-symmetric" && field != market_field::pattern) return market_symmetry::skew;
  if (word == "hermitian" && field == market_field::complex) return market_symmetry::hermitian;
  throw bad_line{
      "the symmetry " + in_quotes(word) + " is invalid for this field",
      "it must be general, symmetric, skew-symmetric (not for pattern) or hermitian (for complex)"};
}

std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  std::uint64_t result = 0;
  if (!__builtin_mul_overflow(a, b, &result)) return result;
  throw bad_line{"an array of " + std::to_string(a) + " by " + std::to_string(b) + " is too large",
                 ""};
}

std::uint64_t entries_before(std::uint64_t column, const market_header& header) {
  if (header.symmetry == market_symmetry::general) return column * header.rows;
  const std::uint64_t diagonal = header.symmetry == market_symmetry::skew ? 0 : 1;
  const std::uint64_t longest = header.rows - 1 + diagonal;
  return column * longest - (column == 0 ? 0 : column * (column - 1) / 2);
}

std::uint64_t entries_of_array(const market_header& header) {
  if (header.symmetry == market_symmetry::general) return product(header.rows, header.columns);
  static_cast<void>(product(header.rows, header.rows));
  return header.rows == 0 ? 0 : entries_before(header.columns, header);
}

market_entry place_in_array(const market_header& header, std::uint64_t number) {
  std::uint64_t column = 0;
  std::uint64_t beyond = header.columns;
  while (beyond - column > 1) {
    const std::uint64_t middle = column + (beyond - column) / 2;
    (entries_before(middle, header) <= number ? column : beyond) = middle;
  }
  std::uint64_t row = number - entries_before(column, header);
  if (header.symmetry != market_symmetry::general) row += column;
  if (header.symmetry == market_symmetry::skew) ++row;
  return {row, column, {}, {}};
}

market_entry place_in_line(std::string_view& text, const market_header& header) {
  const std::uint64_t row = count_of(text, "the row number");
  const std::uint64_t column = count_of(text, "the column number");
  if (row == 0 || column == 0 || row > header.rows || column > header.columns) {
    throw bad_line{
        "row " + std::to_string(row) + ", column " + std::to_string(column) + " is out of range",
        "the matrix has " + std::to_string(header.rows) + " rows and " +
            std::to_string(header.columns) + " columns, counted from 1"};
  }
  return {row - 1, column - 1, {}, {}};
}

}  // namespace

void read_market_banner(std::string_view line, market_header& header) {
  if (lower_word_of(line) != "%%matrixmarket") {
    throw bad_line{"the file does not begin with %%MatrixMarket", ""};
  }
  const std::string object = lower_word_of(line);
  if (object != "matrix")
    throw bad_line{"the object " + in_quotes(object) + " is unsupported", "it must be matrix"};
  header.layout = layout_of(lower_word_of(line));
  header.field = field_of(lower_word_of(line));
  header.symmetry = symmetry_of(lower_word_of(line), header.field);
  expect_end(line);
  if (header.layout == market_layout::array && header.field == market_field::pattern) {
    throw bad_line{"layout array and field pattern exclude each other", "use coordinate"};
  }
}

void read_market_sizes(std::string_view line, market_header& header) {
  header.rows = count_of(line, "the number of rows");
  header.columns = count_of(line, "the number of columns");
  if (header.layout == market_layout::coordinate) {
    header.entries = count_of(line, "the number of entries");
  }
  expect_end(line);
  if (header.symmetry != market_symmetry::general && header.rows != header.columns) {
    throw bad_line{"a symmetric matrix must be square, not " + std::to_string(header.rows) +
                       " by " + std::to_string(header.columns),
                   ""};
  }
  if (header.layout == market_layout::array) header.entries = entries_of_array(header);
}

bool is_market_comment(std::string_view line) noexcept {
  const std::size_t begin = line.find_first_not_of(blanks);
  return begin == std::string_view::npos || line[begin] == '%';
}

market_entry read_market_entry(std::string_view line, const market_header& header,
                               std::uint64_t number) {
  if (number >= header.entries && header.layout == market_layout::array) {
    throw bad_line{"the file has more than the " + std::to_string(header.entries) +
                       " entries of its size line",
                   ""};
  }
  market_entry entry = header.layout == market_layout::array ? place_in_array(header, number)
                                                             : place_in_line(line, header);
  if (header.field != market_field::pattern) entry.value = word_of(line);
  if (header.field == market_field::complex) entry.imaginary = word_of(line);
  expect_end(line);
  return entry;
}

void throw_no_number(std::string_view text) {
  if (text.empty()) throw bad_line{"the line ends before the value", ""};
  throw bad_line{in_quotes(text) + " is not a number of the requested type", ""};
}

void throw_out_of_range(std::string_view text) {
  throw bad_line{in_quotes(text) + " is out of range for the requested type", ""};
}

void throw_inexact(std::string_view text) {
  throw bad_line{
      in_quotes(text) + " is an integer that the requested type cannot represent exactly",
      "load the file as std::int64_t or a wider floating-point type"};
}

void throw_nonzero_diagonal(const char* symmetry) {
  const std::string part = symmetry == std::string_view("hermitian") ? "is not real" : "is not 0";
  throw bad_line{"a diagonal entry of a " + std::string(symmetry) + " matrix " + part, ""};
}

const char* with_c_exponent(std::string_view text, char* begin, std::size_t size) {
  if (text.size() > size) return nullptr;
  return std::ranges::transform(text, begin, [](char c) { return c == 'd' || c == 'D' ? 'e' : c; })
      .out;
}

}  // namespace acre::base
