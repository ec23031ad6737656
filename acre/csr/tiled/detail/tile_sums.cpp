#include <acre/csr/tiled/detail/tile_sums.hpp>

#include <algorithm>

namespace acre::detail {

tile_sums::tile_sums(const team& members, const row_cut& stacked, std::size_t row_bytes,
                     const char* call, const site& where)
    : members_(members),
      row_bytes_(row_bytes),
      blocks_(members, std::max<std::size_t>(stacked.count_of(members.rank()) * row_bytes, 1), 64,
              call, {.number = stacked.rows(), .unit = "rows of tiles"}, where),
      end_("the destructor of the tiled_csr_matrix whose sums were made", where) {}

}  // namespace acre::detail
