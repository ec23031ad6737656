// SPDX-License-Identifier: BSD-3-Clause
// Parses the JSON header of a Binsparse file.
#pragma once

#include <acre/base/error.hpp>

#include <cstdint>
#include <string>
#include <utility>

namespace acre::matrix_files {

/// CSC, DCSC and COOC are by columns; DCSR and DCSC omit empty rows or columns.
enum class binsparse_format : std::uint8_t { csr, csc, dcsr, dcsc, coor, cooc };
enum class binsparse_symmetry : std::uint8_t { none, symmetric, hermitian, skew };
enum class binsparse_half : std::uint8_t { all, lower, upper };

struct binsparse_header {
  binsparse_format format = binsparse_format::csr;
  binsparse_symmetry symmetry = binsparse_symmetry::none;
  binsparse_half half = binsparse_half::all;
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::uint64_t entries = 0;
  bool is_iso = false;
  bool is_complex = false;  ///< (real, imaginary) pairs
  bool has_fill = false;    ///< absent entries have a value
  std::string values;
  std::string pointers_to_1;
  std::string indices_0;
  std::string indices_1;
  // Acre's extensions for block matrices.
  std::string row_blocks;
  std::string column_blocks;
  std::string symmetry_of_blocks;

  [[nodiscard]] bool is_by_columns() const noexcept {
    return format == binsparse_format::csc || format == binsparse_format::dcsc ||
           format == binsparse_format::cooc;
  }
  [[nodiscard]] bool has_pointers() const noexcept {
    return format != binsparse_format::coor && format != binsparse_format::cooc;
  }
  [[nodiscard]] bool has_indices_0() const noexcept {
    return format != binsparse_format::csr && format != binsparse_format::csc;
  }
  [[nodiscard]] std::uint64_t majors() const noexcept { return is_by_columns() ? columns : rows; }
  [[nodiscard]] std::uint64_t minors() const noexcept { return is_by_columns() ? rows : columns; }
};

/// @param what  file and group, for errors
/// @throws acre::error for invalid or unsupported text
[[nodiscard]] binsparse_header binsparse_header_of(const std::string& text,
                                                   const std::string& what);
[[nodiscard]] std::string text_of(const binsparse_header& header);

/// Calls f(); errors name `call`.
template <class F>
auto in_call(const char* call, F&& f) {
  try {
    return f();
  } catch (const error& failed) {
    throw error(call, failed.problem(), failed.advice());
  }
}

}  // namespace acre::matrix_files
