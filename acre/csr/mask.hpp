// SPDX-License-Identifier: BSD-3-Clause
// Restricts product results to a matrix's sparsity pattern or its complement.
#pragma once

#include <acre/base/site.hpp>
#include <acre/csr/csr_matrix.hpp>
#include <acre/csr/row_cut.hpp>
#include <acre/global/team/same_team.hpp>
#include <acre/global/team/team.hpp>

#include <cstddef>
#include <span>

namespace acre {

struct no_mask {
  static constexpr bool keeps_listed = false;
  [[nodiscard]] static std::span<const column_t> columns_of(rank_t, std::size_t) noexcept {
    return {};
  }
};

template <class T, bool KeepsListed>
struct matrix_mask {
  static constexpr bool keeps_listed = KeepsListed;
  const csr_matrix<T>& matrix;

  [[nodiscard]] std::span<const column_t> columns_of(rank_t member, std::size_t row) const {
    return matrix.near_rows(member).columns_of(row);
  }
};

/// Keeps entries present in `matrix`, which must outlive the product.
template <class T>
[[nodiscard]] matrix_mask<T, true> masked_by(const csr_matrix<T>& matrix) {
  return {matrix};
}
template <class T>
[[nodiscard]] matrix_mask<T, false> masked_by_not(const csr_matrix<T>& matrix) {
  return {matrix};
}

namespace csr {
inline void check_mask(const char*, const no_mask&, const team&, const row_cut&, std::size_t,
                       const site&) {}
template <class T, bool KeepsListed>
void check_mask(const char* call, const matrix_mask<T, KeepsListed>& mask, const team& members,
                const row_cut& rows, std::size_t columns, const site& where) {
  global::check_same_team(call, "the mask", mask.matrix.members(), "the result", members, where);
  check_same_cut(call, "the mask", mask.matrix.cut(), rows, where);
  check_equal(call, "the columns of the mask", mask.matrix.columns(), "the columns of the result",
              columns, where);
}
}  // namespace csr

}  // namespace acre
