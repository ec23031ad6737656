#include <acre/sparse/block_dense.hpp>

#include <acre/base/error.hpp>
#include <acre/layout/extents_text.hpp>

#include <array>

namespace acre::detail {

void require_dense_extents(const char* call, const layout::coordinates<2>& dense,
                           const block_sizes& rows, const block_sizes& columns, const site& where) {
  const layout::coordinates<2> blocks{rows.elements(), columns.elements()};
  if (dense == blocks) return;
  throw error(call,
              "a dense matrix of " + layout::extents_text(dense) + " is none of " +
                  layout::extents_text(blocks) + describe_place(where),
              "both have the same rows and columns");
}

}  // namespace acre::detail
