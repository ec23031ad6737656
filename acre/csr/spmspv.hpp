// SPDX-License-Identifier: BSD-3-Clause
// Product y = x A of sparse x and A over any semiring, e.g. a breadth-first step. Members sum their
// rows by column for the owners.
#pragma once

#include <acre/base/site.hpp>
#include <acre/csr/csr_matrix.hpp>
#include <acre/csr/detail/row_accumulator.hpp>
#include <acre/csr/row_cut.hpp>
#include <acre/csr/semiring.hpp>
#include <acre/csr/spmv.hpp>
#include <acre/global/team/same_operands.hpp>
#include <acre/global/team/succeed_together.hpp>
#include <acre/global/team/team.hpp>

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace acre {

/// Sparse vector distributed as matrix rows; local elements ascend by index, in private memory.
template <transferable T>
struct sparse_vector {
  struct element {
    column_t index;
    T value;
  };
  row_cut cut;
  std::vector<element> local;

  /// Number of elements of all members. Collective. Cost: 1 allreduce.
  [[nodiscard]] std::size_t entries(const team& members) const {
    return members.allreduce(local.size());
  }
};

namespace csr {

/// @throws acre::error if an element is not in a local row
template <class X, class T>
[[nodiscard]] std::size_t products_of(const sparse_vector<X>& x, const csr_rows<T>& rows,
                                      const site& where) {
  std::size_t products = 0;
  for (const auto& each : x.local) {
    const std::size_t row = each.index - rows.first;
    if (row >= rows.count) throw_not_own("spmspv", each.index, rows.first, rows.count, where);
    products += rows.columns_of(row).size();
  }
  return products;
}

template <class S, class X, class T, class Accumulator, class Emit>
void push_rows(const sparse_vector<X>& x, const csr_rows<T>& rows, Accumulator&& sums,
               Emit&& emit) {
  for (const auto& [index, value] : x.local) {
    const std::size_t row = index - rows.first;
    for (std::size_t i = rows.begin_of(row); i < rows.end_of(row); ++i) {
      sums.add(rows.columns[i], S::multiply(value, rows.value(i)));
    }
  }
  sums.drain(emit);
}

}  // namespace csr

/// y = x A. x must have the cut of A; y has `cut`. Collective. Cost: 1 allreduce + 1 alltoallv.
/// @param chosen  predicate on local numbers of y: elements to compute
/// @throws acre::error on all members for mismatched cuts or sizes, misplaced elements or short
/// memory
template <class S, class X, class T, class Chosen = all_rows>
  requires semiring<S, X, T>
[[nodiscard]] sparse_vector<typename S::value_type> spmspv(const sparse_vector<X>& x,
                                                           const csr_matrix<T>& a,
                                                           const row_cut& cut, Chosen chosen = {},
                                                           const site& where = site::current()) {
  using value = typename S::value_type;
  using element = typename sparse_vector<value>::element;
  global::require_same_operands(a.members(), "spmspv", where, a);
  csr::check_same_cut("spmspv", "x", x.cut, a.cut(), where);
  csr::check_equal("spmspv", "the columns of the matrix", a.columns(), "the elements of y",
                   cut.rows(), where);
  csr::check_members("spmspv", cut, a.members().size(), where);
  csr::check_chosen("spmspv", chosen, "y", a.members(), cut, where);
  const csr_rows<T> rows = a.local();
  std::vector<element> sums;
  std::vector<std::size_t> counts(a.members().size());
  rank_t owner = 0;
  const auto emit = [&](column_t column, const value& sum) {
    while (column >= cut.first_of(owner + 1)) ++owner;
    ++counts[owner];
    sums.push_back({column, sum});
  };
  constexpr std::size_t least_share = 256;
  global::succeed_together(
      a.members(), "spmspv", where,
      [&] {
        const std::size_t products = csr::products_of(x, rows, where);
        if (products < a.columns() / least_share) {
          csr::hashed_accumulator<S> few;
          few.reserve(products);
          csr::push_rows<S>(x, rows, few, emit);
        } else {
          csr::push_rows<S>(x, rows, csr::dense_accumulator<S>(a.columns()), emit);
        }
      },
      "computing its part of the product");
  const auto came = a.members().alltoallv(std::span(std::as_const(sums)), counts, where);
  csr::hashed_accumulator<S> mine;
  mine.reserve(came.values.size());
  const std::size_t first = cut.first_of(a.members().rank());
  for (const auto& [column, sum] : came.values) {
    if (chosen(column - first)) mine.add(column, sum);
  }
  sparse_vector<value> result{cut, {}};
  mine.drain([&](column_t column, const value& sum) { result.local.push_back({column, sum}); });
  return result;
}

template <class S, class X, class T, class Chosen = all_rows>
  requires semiring<S, X, T>
[[nodiscard]] auto spmspv(const sparse_vector<X>& x, const csr_matrix<T>& a, Chosen chosen = {},
                          const site& where = site::current()) {
  return spmspv<S>(x, a, x.cut, chosen, where);
}

}  // namespace acre
