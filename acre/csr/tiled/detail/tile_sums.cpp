// SPDX-License-Identifier: BSD-3-Clause
#include <acre/csr/tiled/detail/tile_sums.hpp>

#include <algorithm>

namespace acre::csr {

tile_sums::tile_sums(const team& members, const row_cut& stacked, std::size_t row_bytes,
                     const char* call, const site& where)
    : team_object(
          members,
          team_memory(members,
                      std::max<std::size_t>(stacked.count_of(members.rank()) * row_bytes, 1), 64,
                      call, {.number = stacked.rows(), .unit = "rows of tiles"}, where),
          "the destructor of the tiled_csr_matrix whose sums were made", where),
      row_bytes_(row_bytes) {}

}  // namespace acre::csr
