// SPDX-License-Identifier: BSD-3-Clause
// Elements or rows of the other factor that a member's rows need, by owner.
#pragma once

#include <acre/csr/csr_rows.hpp>
#include <acre/csr/row_cut.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace acre::csr {

struct column_plan {
  row_cut cut;
  std::vector<column_t> needed;  ///< distinct columns, ascending
  std::vector<std::size_t> begins;
  std::vector<column_t> places;  ///< index in `needed` per entry
};

[[nodiscard]] column_plan make_column_plan(std::span<const column_t> columns, const row_cut& cut);

}  // namespace acre::csr
