// SPDX-License-Identifier: BSD-3-Clause
#include <acre/matrix_files/matrix_market/detail/mirrored_entries.hpp>

#include <array>

namespace acre::matrix_files {

std::string market_symmetry_name(base::market_symmetry symmetry) {
  constexpr std::array names{"general", "symmetric", "skew-symmetric", "hermitian"};
  return names[static_cast<std::size_t>(symmetry)];
}

void check_market_symmetry(base::market_symmetry symmetry, bool is_complex, bool is_signed,
                           std::size_t rows, std::size_t columns, const site& where) {
  const std::string name = market_symmetry_name(symmetry);
  if (symmetry == base::market_symmetry::hermitian && !is_complex) {
    throw error("store_matrix_market",
                "a file of real numbers cannot be " + name + describe_place(where),
                "store it as symmetric");
  }
  if (symmetry == base::market_symmetry::skew && !is_signed) {
    throw error("store_matrix_market",
                "entries without sign cannot be " + name + describe_place(where),
                "use a signed type");
  }
  if (rows == columns) return;
  throw error("store_matrix_market",
              "a " + name + " matrix must be square, not " + std::to_string(rows) + " by " +
                  std::to_string(columns) + describe_place(where),
              "store it as general");
}

void throw_asymmetry(base::market_symmetry symmetry, std::size_t row, std::size_t column,
                     const site& where) {
  throw error("store_matrix_market",
              "the matrix is not " + market_symmetry_name(symmetry) + ": compare entries (" +
                  std::to_string(row) + ", " + std::to_string(column) + ") and (" +
                  std::to_string(column) + ", " + std::to_string(row) + "), counted from 0" +
                  describe_place(where),
              "store it as general");
}

}  // namespace acre::matrix_files
