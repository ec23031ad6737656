// SPDX-License-Identifier: BSD-3-Clause
#include <acre/block/detail/factor_indices.hpp>

#include <acre/block/for_block_elements.hpp>

#include <complex>
#include <vector>

namespace acre::block_matrices {

namespace {

std::vector<rank_t> parts_with(std::span<const std::uint32_t> blocks, const block_owners& owners,
                               rank_t parts) {
  std::vector<bool> has(parts);
  for (const std::uint32_t block : blocks) has[owners[block]] = true;
  std::vector<rank_t> found;
  for (rank_t i = 0; i < parts; ++i) {
    if (has[i]) found.push_back(i);
  }
  return found;
}

}  // namespace

template <class T>
std::shared_ptr<const blocks_of_others> read_indices(const block_matrix<T>& matrix,
                                                     std::span<const std::uint32_t> rows,
                                                     std::span<const std::uint32_t> columns,
                                                     const site& where) {
  const block_distribution& lies = matrix.distribution();
  const member_grid& grid = lies.grid();
  const auto grid_columns = parts_with(columns, lies.column_owners(), grid.columns);
  std::vector<rank_t> members;
  for (const rank_t row : parts_with(rows, lies.row_owners(), grid.rows)) {
    for (const rank_t column : grid_columns) members.push_back(grid.member(row, column));
  }
  return std::make_shared<const blocks_of_others>(matrix.store(), members, where);
}

#define ACRE_INSTANTIATE(T)                                                                   \
  template std::shared_ptr<const blocks_of_others> read_indices(                              \
      const block_matrix<T>&, std::span<const std::uint32_t>, std::span<const std::uint32_t>, \
      const site&);
ACRE_FOR_BLOCK_ELEMENTS(ACRE_INSTANTIATE)
#undef ACRE_INSTANTIATE

}  // namespace acre::block_matrices
