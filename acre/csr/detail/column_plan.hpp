// SPDX-License-Identifier: BSD-3-Clause
// Vector elements needed by a member's rows, grouped by owner; computed once per matrix.
#pragma once

#include <acre/csr/csr_rows.hpp>
#include <acre/csr/row_cut.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace acre::csr {

struct column_plan {
  row_cut cut;                      ///< of the vector
  std::vector<column_t> needed;     ///< distinct columns, ascending
  std::vector<std::size_t> begins;  ///< bounds of each owner's columns
  std::vector<column_t> places;     ///< index in `needed` per entry
};

/// Local. Cost: a sort. @param columns  of all local entries
[[nodiscard]] column_plan make_column_plan(std::span<const column_t> columns, const row_cut& cut);

}  // namespace acre::csr
