// SPDX-License-Identifier: BSD-3-Clause
#include <acre/block/block_dense.hpp>

#include <acre/base/error.hpp>
#include <acre/layout/extents_text.hpp>

#include <array>
#include <string>

namespace acre::block_matrices {

void require_dense_extents(const char* call, const layout::coordinates<2>& dense,
                           const block_sizes& rows, const block_sizes& columns, const site& where) {
  const layout::coordinates<2> blocks{rows.elements(), columns.elements()};
  if (dense == blocks) return;
  throw error(call,
              "a dense matrix of " + layout::extents_text(dense) +
                  " does not match a block matrix of " + layout::extents_text(blocks) +
                  describe_place(where),
              "use equal numbers of rows, and of columns, for both");
}

void require_dense_members(const char* call, const team& dense, const team& others,
                           const site& where) {
  for (rank_t i = 0; i < dense.size(); ++i) {
    const rank_t rank = dense.world_rank(i);
    if (others.contains(rank)) continue;
    throw error(call,
                "rank " + std::to_string(rank) +
                    " is a member of the dense matrix, but not of the block matrix" +
                    describe_place(where),
                "construct both with the same ranks");
  }
}

}  // namespace acre::block_matrices
