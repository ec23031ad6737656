// SPDX-License-Identifier: BSD-3-Clause
#include <acre/csr/tiled/tiled_spgemm.hpp>

#include <acre/base/error.hpp>
#include <acre/layout/extents_text.hpp>

#include <limits>
#include <string>

namespace acre::csr {

stacked_column::stacked_column(const tile_cut& cut, rank_t column) : rows_(cut.rows()) {
  for (rank_t row = 0; row < cut.grid().rows; ++row) {
    shifts_.push_back(cut.stacked().first_of(cut.grid().member(row, column)) - rows_.first_of(row));
  }
}

void check_tiled_product(const tile_cut& a, const tile_cut& b, const site& where) {
  constexpr const char* call = "spgemm";
  check_equal(call, "the columns of A", a.columns().rows(), "the rows of B", b.rows().rows(),
              where);
  if (!(a.grid() == b.grid())) {
    throw error(call,
                "A has a grid of " + layout::extents_text(a.grid()) + ", but B has a grid of " +
                    layout::extents_text(b.grid()) + describe_place(where),
                "use one grid for both: tiled(by_rows(b), cut)");
  }
  const std::size_t rows = b.stacked().rows();
  if (rows > std::numeric_limits<column_t>::max()) {
    throw error(call,
                std::to_string(b.rows().rows()) + " rows of B are too many for a grid of " +
                    layout::extents_text(b.grid()) + describe_place(where),
                "rows times the columns of the grid must fit 32 bits: use a grid of fewer columns");
  }
}

void check_tiled_mask(const tile_cut& mask, const tile_cut& product, const site& where) {
  if (mask == product) return;
  throw error("spgemm", "the mask has another tile_cut than the product" + describe_place(where),
              "construct it with the rows of A's cut() and the columns of B's cut()");
}

}  // namespace acre::csr
