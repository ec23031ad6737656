// SPDX-License-Identifier: BSD-3-Clause
// Reads a partition of a Matrix Market file's lines, and formats lines.
#pragma once

#include <acre/base/matrix_market_grammar.hpp>
#include <acre/global/team/team_file.hpp>
#include <acre/matrix_files/matrix_market/detail/market_source.hpp>

#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace acre::matrix_files {

enum class market_numbers : unsigned char { real, complex };

class market_share {
 public:
  /// @param file  outlives it
  /// @param numbers  real: complex files are refused
  explicit market_share(global::team_file& file, market_numbers numbers = market_numbers::real);

  /// Reads the header, calls read(), which exhausts next(), and checks totals. Collective.
  /// @throws acre::error on all members for the first faulty line
  void read_all(const std::function<void()>& read);

  [[nodiscard]] const base::market_header& header() const noexcept { return header_; }

  /// @return null at the end @throws bad_line
  [[nodiscard]] std::optional<base::market_entry> next();

  [[noreturn]] static void throw_no_negative(std::string_view text);

 private:
  void read_header();
  void read_lines();
  [[nodiscard]] std::uint64_t count_entries();
  [[nodiscard]] std::optional<std::string_view> next_text();
  [[nodiscard]] bool read_more();
  void agree(const std::optional<base::bad_line>& mine);

  void warn_of_upper_triangle(std::uint64_t entries) const;

  global::team_file& file_;
  market_source source_;
  market_numbers numbers_;
  base::market_header header_;
  std::uint64_t header_lines_ = 0;
  std::uint64_t header_bytes_ = 0;
  std::string buffer_;
  std::size_t at_ = 0;
  std::uint64_t read_to_ = 0;
  std::uint64_t begin_of_buffer_ = 0;
  std::uint64_t end_ = 0;
  std::uint64_t lines_ = 0;
  std::uint64_t first_ = 0;  ///< arrays: entries before this partition
  std::uint64_t found_ = 0;
  std::uint64_t above_ = 0;  ///< entries above the diagonal, if symmetric
};

/// @throws bad_line when integers are unfit
void check_market_type(const market_share& lines, bool is_integer, bool is_unsigned);

[[nodiscard]] std::string market_head(
    base::market_field field, std::uint64_t rows, std::uint64_t columns, std::uint64_t entries,
    base::market_symmetry symmetry = base::market_symmetry::general);

class market_text {
 public:
  void entry(std::uint64_t row, std::uint64_t column) {
    end_line();
    append(row + 1);
    text_ += ' ';
    append(column + 1);
    is_open_ = true;
  }
  /// Shortest exact text, also "inf" and "nan".
  template <class T>
  void value(T value) {
    text_ += ' ';
    if constexpr (std::same_as<T, bool>) {
      text_ += value ? '1' : '0';
    } else if constexpr (base::is_complex<T>) {
      append(value.real());
      text_ += ' ';
      append(value.imag());
    } else {
      append(value);
    }
  }

  [[nodiscard]] std::span<const char> all() {
    end_line();
    return text_;
  }
  [[nodiscard]] std::size_t size() { return all().size(); }
  void clear() noexcept { text_.clear(); }

 private:
  void end_line() {
    if (is_open_) text_ += '\n';
    is_open_ = false;
  }
  template <class T>
  void append(T number) {
    char digits[64];
    text_.append(digits, std::to_chars(digits, digits + sizeof(digits), number).ptr);
  }

  std::string text_;
  bool is_open_ = false;
};

}  // namespace acre::matrix_files
