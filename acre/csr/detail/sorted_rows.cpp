// SPDX-License-Identifier: BSD-3-Clause
#include <acre/csr/detail/sorted_rows.hpp>

#include <acre/base/error.hpp>

#include <string>

namespace acre::csr {

void throw_no_place(const char* call, std::size_t row, std::size_t column, std::size_t rows,
                    std::size_t columns, const site& where) {
  throw error(call,
              "row " + std::to_string(row) + ", column " + std::to_string(column) +
                  " is out of range" + describe_place(where),
              "the matrix has " + std::to_string(rows) + " rows and " + std::to_string(columns) +
                  " columns");
}

}  // namespace acre::csr
