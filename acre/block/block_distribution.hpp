// SPDX-License-Identifier: BSD-3-Clause
// Distributes block rows over rows of a grid of members (layout/member_grid.hpp), block columns
// over its columns.
//
//     acre::block_distribution lies(rows, columns, acre::team::cartesian<2>());   // in turn
//     acre::block_distribution bands(rows, columns, layout::blocked(rows.blocks(), 2),
//                                    layout::blocked(columns.blocks(), 3));
//
// Products are fastest if a's columns are distributed as b's rows.
#pragma once

#include <acre/base/site.hpp>
#include <acre/layout/block_sizes.hpp>
#include <acre/layout/member_grid.hpp>
#include <acre/layout/pattern.hpp>
#include <acre/runtime/world.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace acre {

class team;

/// Grid row of each block row, or grid column of each block column.
class block_owners {
 public:
  block_owners() : block_owners(std::vector<rank_t>()) {}
  explicit block_owners(std::vector<rank_t> owners)
      : owners_(std::make_shared<const std::vector<rank_t>>(std::move(owners))) {}
  /// Each block goes to the first part with fewest elements: round-robin for equal blocks.
  [[nodiscard]] static block_owners in_turn(const block_sizes& sizes, rank_t parts);
  /// Each block goes to its member in a one-dimensional `pattern`.
  template <layout::pattern Pattern>
  [[nodiscard]] static block_owners of(const Pattern& pattern) {
    std::vector<rank_t> owners(pattern.size());
    for (std::size_t i = 0; i < owners.size(); ++i) owners[i] = pattern.place_of(i).member;
    return block_owners(std::move(owners));
  }

  [[nodiscard]] rank_t operator[](std::size_t block) const noexcept { return (*owners_)[block]; }
  [[nodiscard]] std::span<const rank_t> all() const noexcept { return *owners_; }
  /// Blocks of parts `first` to `first` + `parts` - 1, ascending.
  [[nodiscard]] std::vector<std::uint32_t> blocks_of(rank_t first, rank_t parts = 1) const;
  friend bool operator==(const block_owners& a, const block_owners& b) noexcept {
    return a.owners_ == b.owners_ || *a.owners_ == *b.owners_;
  }

 private:
  std::shared_ptr<const std::vector<rank_t>> owners_;
};

class block_distribution {
 public:
  /// Empty, for one member.
  block_distribution() = default;
  /// As below, on the grid of a grid team, else a nearly square one.
  block_distribution(block_sizes rows, block_sizes columns, const team& members);
  /// As below, on a nearly square grid.
  block_distribution(block_sizes rows, block_sizes columns, rank_t members);
  /// By block_owners::in_turn().
  /// @throws acre::error when `grid` is empty
  block_distribution(block_sizes rows, block_sizes columns, member_grid grid);
  /// @throws acre::error for wrong numbers of owners, or outside the grid
  block_distribution(block_sizes rows, block_sizes columns, member_grid grid,
                     block_owners row_owners, block_owners column_owners,
                     const site& where = site::current());
  /// The patterns' members are grid rows and grid columns.
  template <layout::pattern Rows, layout::pattern Columns>
  block_distribution(block_sizes rows, block_sizes columns, const Rows& of_rows,
                     const Columns& of_columns, const site& where = site::current())
      : block_distribution(std::move(rows), std::move(columns),
                           member_grid{of_rows.members(), of_columns.members()},
                           block_owners::of(of_rows), block_owners::of(of_columns), where) {}

  [[nodiscard]] const block_sizes& rows() const noexcept { return rows_; }
  [[nodiscard]] const block_sizes& columns() const noexcept { return columns_; }
  [[nodiscard]] const member_grid& grid() const noexcept { return grid_; }
  [[nodiscard]] const block_owners& row_owners() const noexcept { return row_owners_; }
  [[nodiscard]] const block_owners& column_owners() const noexcept { return column_owners_; }

  /// Member that owns the block. Cost: l.
  [[nodiscard]] rank_t owner(std::size_t row, std::size_t column) const noexcept {
    return grid_.member(row_owners_[row], column_owners_[column]);
  }
  /// Block rows of a member, ascending.
  [[nodiscard]] std::vector<std::uint32_t> rows_of(rank_t member) const {
    return row_owners_.blocks_of(grid_.row_of(member));
  }
  [[nodiscard]] std::vector<std::uint32_t> columns_of(rank_t member) const {
    return column_owners_.blocks_of(grid_.column_of(member));
  }

  /// Transposes the grid, too.
  [[nodiscard]] block_distribution transposed() const;

  friend bool operator==(const block_distribution&, const block_distribution&) noexcept = default;

 private:
  block_sizes rows_;
  block_sizes columns_;
  member_grid grid_;
  block_owners row_owners_;
  block_owners column_owners_;
};

}  // namespace acre
