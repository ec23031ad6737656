// SPDX-License-Identifier: BSD-3-Clause
// Converts block matrices to dense ones, and back.
#pragma once

#include <acre/algorithm/copy_box.hpp>
#include <acre/array/matrix.hpp>
#include <acre/array/matrix_view.hpp>
#include <acre/base/site.hpp>
#include <acre/block/block_matrix.hpp>
#include <acre/block/block_values.hpp>
#include <acre/block/stage_together.hpp>
#include <acre/global/team/succeed_together.hpp>
#include <acre/global/team/team.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace acre {

namespace block_matrices {

void require_dense_extents(const char* call, const layout::coordinates<2>& dense,
                           const block_sizes& rows, const block_sizes& columns, const site& where);
void require_dense_members(const char* call, const team& dense, const team& others,
                           const site& where);

}  // namespace block_matrices

/// Copies into `dense`, absent blocks as 0. Collective. Cost: B and 1 allreduce, and W per row of a
/// block's part at a member.
/// @throws acre::error on all members: before writing, when extents or teams do not fit; after
/// partial writes, when memory is short
template <class T, class Pattern>
void to_dense(const block_matrix<T>& a, matrix<T, 2, Pattern>& dense,
              const site& where = site::current()) {
  block_matrices::require_dense_extents("to_dense", dense.extents(), a.rows(), a.columns(), where);
  block_matrices::require_dense_members("to_dense", dense.members(), a.members(), where);
  dense.each_local_block([](const auto&, const box_span<T, 2>& own) {
    own.each_run([](std::span<T> run) { std::ranges::fill(run, T{}); });
  });
  a.members().barrier(where);
  const auto write = [&](std::size_t row, std::size_t column, const box_span<const T, 2>& block) {
    copy(block,
         sub(dense, {.first = {a.rows().begin_of(row), a.columns().begin_of(column)},
                     .extents = block.extents()}),
         where);
  };
  global::succeed_together(a.members(), "to_dense", where, [&] {
    a.each_local_block([&](std::size_t row, std::size_t column, const box_span<const T, 2>& block) {
      write(row, column, block);
      if (a.symmetry() == block_symmetry::none || row == column) return;
      std::vector<T> other(block.size());
      block_matrices::mirror(block.data(), block.extent(0), block.extent(1), other.data(),
                             a.symmetry());
      write(column, row, {other.data(), {block.extent(1), block.extent(0)}, {1, block.extent(1)}});
    });
  });
}

/// Replaces all blocks, staged ones too, by those of `dense` with non-zero norm >= `threshold`.
/// Collective. Cost: 2 B, 1 allreduce, finalise(), and R per remote row of a block.
/// @throws acre::error on all members when extents differ
template <class T, class Pattern>
void from_dense(const matrix<T, 2, Pattern>& dense, block_matrix<T>& a, double threshold = 0,
                const site& where = site::current()) {
  block_matrices::require_dense_extents("from_dense", dense.extents(), a.rows(), a.columns(),
                                        where);
  a.clear(where);
  block_matrices::put_together("from_dense", a, where, [&] {
    std::vector<T> values;
    block_matrices::each_own_place(a, [&](std::uint32_t i, std::uint32_t j) {
      const std::size_t rows = a.rows().size_of(i);
      const std::size_t columns = a.columns().size_of(j);
      values.resize(rows * columns);
      copy(sub(dense, {.first = {a.rows().begin_of(i), a.columns().begin_of(j)},
                       .extents = {rows, columns}}),
           box_span<T, 2>(values.data(), {rows, columns}, {1, rows}), where);
      const double norm = block_matrices::norm_of(values.data(), values.size());
      if (norm != 0 && !(norm < threshold)) a.put_block(i, j, values, where);
    });
  });
}

}  // namespace acre
