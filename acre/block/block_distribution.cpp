// SPDX-License-Identifier: BSD-3-Clause
#include <acre/block/block_distribution.hpp>

#include <acre/base/error.hpp>
#include <acre/global/team/team.hpp>

#include <functional>
#include <queue>
#include <string>
#include <utility>

namespace acre {

namespace {

void check_owners(const char* what, const block_owners& owners, std::size_t blocks, rank_t parts,
                  const site& where) {
  if (owners.all().size() != blocks) {
    throw error("block_distribution",
                std::to_string(owners.all().size()) + " owners are given for " +
                    std::to_string(blocks) + " " + what + " of blocks" + describe_place(where),
                "pass one owner for each");
  }
  for (std::size_t i = 0; i < blocks; ++i) {
    if (owners[i] < parts) continue;
    throw error("block_distribution",
                std::string("among the owners of ") + what + ", number " + std::to_string(i) +
                    " is " + std::to_string(owners[i]) + ", but the grid has " +
                    std::to_string(parts) + describe_place(where),
                "owners are numbers of rows and columns of the grid, from 0");
  }
}

}  // namespace

block_owners block_owners::in_turn(const block_sizes& sizes, rank_t parts) {
  if (parts == 0) {
    throw error("block_owners::in_turn", "the grid has no rows or columns",
                "member_grid{rows, columns} must have at least 1 member");
  }
  using load = std::pair<std::size_t, rank_t>;
  std::priority_queue<load, std::vector<load>, std::greater<>> loads;
  for (rank_t i = 0; i < parts; ++i) loads.emplace(0, i);
  std::vector<rank_t> owners(sizes.blocks());
  for (std::size_t i = 0; i < owners.size(); ++i) {
    const auto [elements, part] = loads.top();
    loads.pop();
    owners[i] = part;
    loads.emplace(elements + sizes.size_of(i), part);
  }
  return block_owners(std::move(owners));
}

std::vector<std::uint32_t> block_owners::blocks_of(rank_t first, rank_t parts) const {
  std::vector<std::uint32_t> found;
  for (std::size_t i = 0; i < owners_->size(); ++i) {
    if ((*owners_)[i] - first < parts) found.push_back(static_cast<std::uint32_t>(i));
  }
  return found;
}

block_distribution::block_distribution(block_sizes rows, block_sizes columns, const team& members)
    : block_distribution(std::move(rows), std::move(columns),
                         member_grid::of(members.spec<2>(), members.size())) {}

block_distribution::block_distribution(block_sizes rows, block_sizes columns, rank_t members)
    : block_distribution(std::move(rows), std::move(columns), member_grid::square(members)) {}

block_distribution::block_distribution(block_sizes rows, block_sizes columns, member_grid grid)
    : rows_(std::move(rows)),
      columns_(std::move(columns)),
      grid_(grid),
      row_owners_(block_owners::in_turn(rows_, grid.rows)),
      column_owners_(block_owners::in_turn(columns_, grid.columns)) {}

block_distribution::block_distribution(block_sizes rows, block_sizes columns, member_grid grid,
                                       block_owners row_owners, block_owners column_owners,
                                       const site& where)
    : rows_(std::move(rows)),
      columns_(std::move(columns)),
      grid_(grid),
      row_owners_(std::move(row_owners)),
      column_owners_(std::move(column_owners)) {
  check_owners("rows", row_owners_, rows_.blocks(), grid_.rows, where);
  check_owners("columns", column_owners_, columns_.blocks(), grid_.columns, where);
}

block_distribution block_distribution::transposed() const {
  return {columns_, rows_, member_grid{grid_.columns, grid_.rows}, column_owners_, row_owners_};
}

}  // namespace acre
