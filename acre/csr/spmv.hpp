// SPDX-License-Identifier: BSD-3-Clause
// Sparse matrix-vector product y = A x over any semiring. Within a node members copy x; across
// nodes they read the needed elements.
//
//     acre::spmv<acre::semirings::or_pair>(graph, level, next, acre::into::result,
//                                          acre::rows_where_not(visited));
#pragma once

#include <acre/base/site.hpp>
#include <acre/csr/csr_matrix.hpp>
#include <acre/csr/dense_vector.hpp>
#include <acre/csr/detail/elements_at_hand.hpp>
#include <acre/csr/row_cut.hpp>
#include <acre/csr/semiring.hpp>
#include <acre/global/team/same_operands.hpp>
#include <acre/global/team/same_team.hpp>
#include <acre/global/team/succeed_together.hpp>
#include <acre/global/team/team.hpp>

#include <concepts>
#include <cstddef>
#include <optional>
#include <span>

namespace acre {

enum class into : unsigned char { result, sum };

struct all_rows {
  [[nodiscard]] constexpr bool operator()(std::size_t) const noexcept { return true; }
};

template <class T>
struct masked_rows {
  std::span<const T> mask;
  bool wanted;
  row_cut cut;
  team members;
  [[nodiscard]] bool operator()(std::size_t row) const {
    return static_cast<bool>(mask[row]) == wanted;
  }
};
/// Selects rows by a mask with their cut; other elements of y stay unchanged.
template <row_vector V>
[[nodiscard]] auto rows_where(const V& mask) {
  return masked_rows<typename V::value_type>{mask.local(), true, cut_of(mask), mask.members()};
}
template <row_vector V>
[[nodiscard]] auto rows_where_not(const V& mask) {
  return masked_rows<typename V::value_type>{mask.local(), false, cut_of(mask), mask.members()};
}

namespace csr {

template <class Rows>
void check_chosen(const char*, const Rows&, const char*, const team&, const row_cut&, const site&) {
}
template <class T>
void check_chosen(const char* call, const masked_rows<T>& rows, const char* like,
                  const team& members, const row_cut& cut, const site& where) {
  constexpr const char* what = "the mask of rows";
  global::check_same_team(call, what, rows.members, like, members, where);
  check_same_cut(call, what, rows.cut, cut, where, like);
}

/// Sums entries `begin` to `end` - 1; four partial sums hide the latency of additions.
template <class S, class T, class X>
[[nodiscard]] typename S::value_type row_sum(const csr_rows<T>& rows, const column_t* columns,
                                             const X* x, std::size_t begin, std::size_t end) {
  using value = typename S::value_type;
  const auto step = [&](const value& sum, std::size_t place) -> value {
    return S::add(sum, S::multiply(rows.value(place), x[columns[place]]));
  };
  value sum = S::zero();
  std::size_t place = begin;
  if (end - begin >= 4) {
    value a = S::zero();
    value b = S::zero();
    value c = S::zero();
    for (; place + 4 <= end; place += 4) {
      sum = step(sum, place);
      a = step(a, place + 1);
      b = step(b, place + 2);
      c = step(c, place + 3);
      if constexpr (has_terminal<S>) {
        if (S::is_terminal(sum) || S::is_terminal(a) || S::is_terminal(b) || S::is_terminal(c)) {
          return S::add(S::add(sum, a), S::add(b, c));
        }
      }
    }
    sum = S::add(S::add(sum, a), S::add(b, c));
  }
  for (; place < end; ++place) sum = step(sum, place);
  return sum;
}

}  // namespace csr

/// y = A x for the rows of `rows`; x and y distinct. Collective. Cost: B + 1 allreduce; across
/// nodes R or 2 M per owner of needed elements.
/// @throws acre::error on all members for mismatched sizes, cuts or teams, or short memory
template <class S, class T, row_vector X, row_vector Y, class Rows = all_rows>
  requires semiring<S, T, typename X::value_type>
void spmv(const csr_matrix<T>& a, const X& x, Y& y, into target = into::result, Rows rows = {},
          const site& where = site::current()) {
  global::require_same_operands(a.members(), "spmv", where, a, x, y);
  csr::check_equal("spmv", "the columns of the matrix", a.columns(), "the elements of x", x.size(),
                   where);
  global::check_same_team("spmv", "x", x.members(), "the matrix", a.members(), where);
  global::check_same_team("spmv", "y", y.members(), "the matrix", a.members(), where);
  csr::check_same_cut("spmv", "y", cut_of(y), a.cut(), where);
  csr::check_chosen("spmv", rows, "the matrix", a.members(), a.cut(), where);
  a.members().barrier(where);
  std::optional<csr::elements_at_hand<typename X::value_type>> at_hand;
  global::succeed_together(
      a.members(), "spmv", where, [&] { at_hand.emplace(a, x); }, "allocating its copy of x");
  const auto& elements = *at_hand;
  const csr_rows<T> mine = a.local();
  const auto results = y.local();
  for (std::size_t row = 0; row < mine.count; ++row) {
    if (!rows(row)) continue;
    const auto sum = csr::row_sum<S>(mine, elements.columns(), elements.values(),
                                     mine.begin_of(row), mine.end_of(row));
    using element = typename Y::value_type;
    results[row] = static_cast<element>(target == into::sum ? S::add(results[row], sum) : sum);
  }
}

}  // namespace acre
