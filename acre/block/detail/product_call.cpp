// SPDX-License-Identifier: BSD-3-Clause
#include <acre/block/detail/product_call.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace acre::block_matrices {

namespace {

std::vector<std::uint32_t> blocks_of(const block_owners& owners, rank_t first, rank_t parts,
                                     const block_interval& within) {
  std::vector<std::uint32_t> found = owners.blocks_of(first, parts);
  std::erase_if(found, [&](std::uint32_t each) { return !within.contains(each); });
  return found;
}

/// Rotates b's grid rows to begin at `first`, so that members read from different members (Cannon's
/// alignment). On one node: ascending.
void order_by_owner(std::vector<std::uint32_t>& inner, const block_distribution& of_b,
                    const team& members, rank_t first) {
  if (are_near(members)) return;
  const block_owners& owners = of_b.row_owners();
  const rank_t rows = of_b.grid().rows;
  std::ranges::sort(inner, {}, [&](std::uint32_t each) {
    return std::pair((owners[each] + rows - first % rows) % rows, each);
  });
}

std::vector<std::uint32_t> share_of(const std::vector<std::uint32_t>& blocks,
                                    const block_sizes& sizes, std::size_t i, std::size_t shares) {
  if (shares == 1) return blocks;
  std::size_t all = 0;
  for (const std::uint32_t each : blocks) all += sizes.size_of(each);
  std::vector<std::uint32_t> mine;
  std::size_t before = 0;
  for (const std::uint32_t each : blocks) {
    if (before * shares >= i * all && before * shares < (i + 1) * all) mine.push_back(each);
    before += sizes.size_of(each);
  }
  return mine;
}

}  // namespace

bool are_near(const team& members) {
  for (rank_t i = 0; i < members.size(); ++i) {
    if (!node().contains(members.world_rank(i))) return false;
  }
  return true;
}

layer_cell cell_of(const member_grid& grid, std::size_t layers) noexcept {
  layer_cell best;
  const auto side = [](const layer_cell& each) { return each.rows + each.columns; };
  each_cell(grid, [&](const layer_cell& cell) {
    if (cell.layers() > layers || cell.layers() < best.layers()) return;
    if (cell.layers() > best.layers() || side(cell) < side(best)) best = cell;
  });
  return best;
}

template <class T>
product_part product_call<T>::part_of(const block_matrix<T>& c, rank_t member,
                                      const layer_cell& cell) const {
  const block_distribution& lies = c.distribution();
  const rank_t row = lies.grid().row_of(member);
  const rank_t column = lies.grid().column_of(member);
  const std::size_t layer = row % cell.rows * cell.columns + column % cell.columns;
  const block_distribution& of_b = b.distribution();
  auto inner = share_of(blocks_of(of_b.row_owners(), 0, of_b.grid().rows, options.inner), b.rows(),
                        layer, cell.layers());
  order_by_owner(inner, of_b, c.members(), row + column);
  return {
      .rows = blocks_of(lies.row_owners(), row / cell.rows * cell.rows, cell.rows, options.rows),
      .columns = blocks_of(lies.column_owners(), column / cell.columns * cell.columns, cell.columns,
                           options.columns),
      .inner = std::move(inner)};
}

template <class T>
std::size_t product_call<T>::memory() const {
  return options.memory != 0 ? options.memory : runtime::segment_free().private_part / 4;
}

template struct product_call<float>;
template struct product_call<double>;
template struct product_call<std::complex<float>>;
template struct product_call<std::complex<double>>;

}  // namespace acre::block_matrices
