#include <acre/sparse/detail/tile_sums.hpp>

#include <algorithm>

namespace acre::detail {

tile_sums::tile_sums(const team& members, const row_cut& stacked, std::size_t value_bytes,
                     const site& where)
    : members_(members),
      value_bytes_(value_bytes),
      blocks_(members, std::max<std::size_t>(stacked.count_of(members.rank()) * value_bytes, 1), 64,
              "spmv", {.number = stacked.rows(), .unit = "rows of tiles"}, where),
      end_("the destructor of the tiled_csr_matrix of the first spmv", where) {}

}  // namespace acre::detail
