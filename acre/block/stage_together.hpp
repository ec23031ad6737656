// SPDX-License-Identifier: BSD-3-Clause
// Stages blocks on all members; a failure on one discards them on all.
#pragma once

#include <acre/base/error.hpp>
#include <acre/base/site.hpp>
#include <acre/block/block_matrix.hpp>
#include <acre/global/team/succeed_together.hpp>

#include <cstdint>
#include <utility>
#include <vector>

namespace acre::block_matrices {

template <class T>
void require_none_waits(const char* call, const block_matrix<T>& a, const site& where) {
  if (!a.has_staged()) return;
  throw error(call, "the matrix to change has staged blocks" + describe_place(where),
              "call finalise() first");
}

template <class T, class Stage>
void stage_together(const char* call, block_matrix<T>& a, const site& where, Stage&& stage) {
  bool has_begun = false;
  try {
    global::succeed_together(a.members(), call, where, [&] {
      require_none_waits(call, a, where);
      has_begun = true;
      std::forward<Stage>(stage)();
    });
  } catch (...) {
    if (has_begun) a.drop_staged();
    throw;
  }
}

/// Calls stage() on all members, then finalise(). Collective. Cost: 1 allreduce, and finalise().
/// @throws the exception of stage(); acre::error on the others
template <class T, class Stage>
void put_together(const char* call, block_matrix<T>& a, const site& where, Stage&& stage) {
  stage_together(call, a, where, std::forward<Stage>(stage));
  a.finalise(where);
}

/// Calls f(row, column) for each block that this member may store, by rows.
template <class T, class F>
void each_own_place(const block_matrix<T>& a, F&& f) {
  const std::vector<std::uint32_t> columns = a.distribution().columns_of(a.members().rank());
  for (const std::uint32_t row : a.distribution().rows_of(a.members().rank())) {
    for (const std::uint32_t column : columns) {
      if (is_stored(a.symmetry(), row, column)) f(row, column);
    }
  }
}

}  // namespace acre::block_matrices
