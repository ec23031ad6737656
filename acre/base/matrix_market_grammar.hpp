// SPDX-License-Identifier: BSD-3-Clause
// Matrix Market grammar (Boisvert, Pozo, Remington: The Matrix Market exchange formats, NISTIR
// 5935, 1996).
//
// Extensions: comments and empty lines between entries, upper-triangle entries of symmetric
// matrices, zeros on skew diagonals, Fortran exponents (1.5D+00), infinities, NaN.
#pragma once

#include <acre/base/complex_number.hpp>
#include <acre/base/parse_number.hpp>
#include <acre/base/read_number.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>

namespace acre::base {

enum class market_layout : unsigned char { coordinate, array };
enum class market_field : unsigned char { pattern, integer, real, complex };
enum class market_symmetry : unsigned char { general, symmetric, skew, hermitian };

struct market_header {
  market_layout layout = market_layout::coordinate;
  market_field field = market_field::pattern;
  market_symmetry symmetry = market_symmetry::general;
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::uint64_t entries = 0;
};

/// A syntax error, without line number.
struct bad_line {
  std::string problem;
  std::string advice;
};

void read_market_banner(std::string_view line, market_header& header);

void read_market_sizes(std::string_view line, market_header& header);

/// True for comments and empty lines.
[[nodiscard]] bool is_market_comment(std::string_view line) noexcept;

struct market_entry {
  std::uint64_t row;
  std::uint64_t column;
  std::string_view value;
  std::string_view imaginary;
};

/// Parses an entry; the result counts rows and columns from 0.
/// @param number  index of the entry: array entries have no coordinates
/// @throws bad_line if malformed or outside the matrix
[[nodiscard]] market_entry read_market_entry(std::string_view line, const market_header& header,
                                             std::uint64_t number);

[[nodiscard]] inline bool is_in_upper_triangle(const market_entry& entry,
                                               const market_header& header) noexcept {
  return header.symmetry != market_symmetry::general && entry.column > entry.row;
}

[[noreturn]] void throw_no_number(std::string_view text);
[[noreturn]] void throw_out_of_range(std::string_view text);
[[noreturn]] void throw_inexact(std::string_view text);
[[noreturn]] void throw_nonzero_diagonal(const char* symmetry);

/// Copies `text`, with 'e' for Fortran exponents, to `begin`.
/// @return the end; null if longer than `size`
[[nodiscard]] const char* with_c_exponent(std::string_view text, char* begin, std::size_t size);

/// @throws bad_line if not representable
template <class T>
[[nodiscard]] T read_market_number(std::string_view text) {
  text = without_plus(text);
  using read = std::conditional_t<std::same_as<T, bool>, int, T>;
  std::array<char, 64> translated;
  const char* begin = text.data();
  const char* end = begin + text.size();
  if constexpr (std::floating_point<T>) {
    if (text.find_first_of("dD") != text.npos) {
      begin = translated.data();
      end = with_c_exponent(text, translated.data(), translated.size());
      if (end == nullptr) throw_no_number(text);
    }
  }
  read value{};
  const auto [behind, problem] = read_number(begin, end, value);
  if (problem == std::errc::result_out_of_range) {
    // Underflow becomes 0.
    const std::string_view read_text(begin, end);
    const bool is_tiny = read_text.find("e-") != text.npos || read_text.find("E-") != text.npos;
    if (std::integral<T> || !is_tiny) throw_out_of_range(text);
    return T{};
  }
  if (problem != std::errc() || behind != end) throw_no_number(text);
  if constexpr (std::same_as<T, bool>) {
    if (value != 0 && value != 1) throw_out_of_range(text);
  }
  return static_cast<T>(value);
}

/// @throws bad_line if not exact in T
template <std::floating_point T>
[[nodiscard]] T read_market_integer_as(std::string_view text) {
  const T value = read_market_number<T>(text);
  constexpr T exact = T(std::uint64_t{1} << std::numeric_limits<T>::digits);
  if (value > -exact && value < exact) return value;
  constexpr T beyond = T(std::uint64_t{1} << 63);
  const bool fits = value >= -beyond && value < beyond;
  if (!fits || static_cast<std::int64_t>(value) != read_market_number<std::int64_t>(text)) {
    throw_inexact(text);
  }
  return value;
}

/// @throws bad_line if not representable, or contrary to the symmetry
template <class T>
[[nodiscard]] T read_market_value(const market_entry& entry, const market_header& header) {
  if constexpr (is_complex<T>) {
    using part = typename T::value_type;
    if (header.field != market_field::complex) return read_market_value<part>(entry, header);
    const T value(read_market_number<part>(entry.value), read_market_number<part>(entry.imaginary));
    if (entry.row != entry.column) return value;
    if (header.symmetry == market_symmetry::hermitian && value.imag() != 0) {
      throw_nonzero_diagonal("hermitian");
    }
    if (header.symmetry == market_symmetry::skew && value != T{}) {
      throw_nonzero_diagonal("skew-symmetric");
    }
    return value;
  } else {
    if (header.field == market_field::pattern) return T{1};
    T value{};
    if constexpr (std::floating_point<T>) {
      value = header.field == market_field::integer ? read_market_integer_as<T>(entry.value)
                                                    : read_market_number<T>(entry.value);
    } else {
      value = read_market_number<T>(entry.value);
    }
    const bool is_skew = header.symmetry == market_symmetry::skew;
    if (is_skew && entry.row == entry.column && value != T{}) {
      throw_nonzero_diagonal("skew-symmetric");
    }
    return value;
  }
}

}  // namespace acre::base
