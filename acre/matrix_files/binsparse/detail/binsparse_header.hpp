// SPDX-License-Identifier: BSD-3-Clause
// What a file of Binsparse says of a matrix, in JSON: its format, its shape, the types of its
// datasets.
#pragma once

#include <acre/base/error.hpp>

#include <cstdint>
#include <string>
#include <utility>

namespace acre::matrix_files {

/// CSC is the transposed of CSR, COOC of COOR; D…: rows without entries are left out.
enum class binsparse_format : std::uint8_t { csr, csc, dcsr, dcsc, coor, cooc };
enum class binsparse_symmetry : std::uint8_t { none, symmetric, hermitian, skew };
/// Which triangle of a matrix is stored.
enum class binsparse_half : std::uint8_t { all, lower, upper };

struct binsparse_header {
  binsparse_format format = binsparse_format::csr;
  binsparse_symmetry symmetry = binsparse_symmetry::none;
  binsparse_half half = binsparse_half::all;
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::uint64_t entries = 0;  ///< that are stored
  bool is_iso = false;        ///< one value is that of all entries
  bool is_complex = false;    ///< values are pairs of real and imaginary parts
  bool has_fill = false;      ///< places without an entry have a value too
  // Types of datasets; empty where nothing is said.
  std::string values;  ///< of a part: "float64", "bint8"
  std::string pointers_to_1;
  std::string indices_0;
  std::string indices_1;
  // What Acre says besides, of block matrices; other readers skip it.
  std::string row_blocks;     ///< the dataset of their sizes; empty: there are none
  std::string column_blocks;  ///< the same
  std::string symmetry_of_blocks;

  /// Whether indices_1 are rows.
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
  /// Rows of what is stored by rows, else columns.
  [[nodiscard]] std::uint64_t majors() const noexcept { return is_by_columns() ? columns : rows; }
  [[nodiscard]] std::uint64_t minors() const noexcept { return is_by_columns() ? rows : columns; }
};

/// @param what  has the text: the file and the group, for errors
/// @throws acre::error when the text is no such description, or one of what Acre does not read
[[nodiscard]] binsparse_header binsparse_header_of(const std::string& text,
                                                   const std::string& what);
[[nodiscard]] std::string text_of(const binsparse_header& header);

/// f(), with errors that name this call.
template <class F>
auto in_call(const char* call, F&& f) {
  try {
    return f();
  } catch (const error& failed) {
    throw error(call, failed.problem(), failed.advice());
  }
}

}  // namespace acre::matrix_files
