// SPDX-License-Identifier: BSD-3-Clause
// Which elements of a vector the columns of a member's rows name, and whose they are: made once for
// a matrix, then used by each product over a network.
#pragma once

#include <acre/csr/csr_rows.hpp>
#include <acre/csr/row_cut.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace acre::csr {

struct column_plan {
  row_cut cut;                      ///< of the vector
  std::vector<column_t> needed;     ///< ascending
  std::vector<std::size_t> begins;  ///< of each member's in needed, and the end
  std::vector<column_t> places;     ///< of each entry's column in needed
};

/// Local. Sorting time. @param columns  of all entries of this member
[[nodiscard]] column_plan make_column_plan(std::span<const column_t> columns, const row_cut& cut);

}  // namespace acre::csr
