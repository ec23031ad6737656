// SPDX-License-Identifier: BSD-3-Clause
// Entry-wise operations on sparse matrices with equal cuts; local to each member's rows.
#pragma once

#include <acre/base/site.hpp>
#include <acre/csr/csr_matrix.hpp>
#include <acre/csr/dense_vector.hpp>
#include <acre/csr/semiring.hpp>
#include <acre/global/team/same_operands.hpp>
#include <acre/global/team/same_team.hpp>
#include <acre/global/team/succeed_together.hpp>
#include <acre/global/team/team.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>

namespace acre {

namespace csr {

/// write(local row, part) appends a row's entries to `part`.
template <class R, class T, class Write>
[[nodiscard]] csr_matrix<R> made_by_rows(const csr_matrix<T>& like, const char* call,
                                         const site& where, Write&& write) {
  csr_part<R> part;
  global::succeed_together(like.members(), call, where, [&] {
    const std::size_t rows = like.local_rows();
    part.offsets.reserve(rows + 1);
    for (std::size_t row = 0; row < rows; ++row) {
      write(row, part);
      part.end_row();
    }
  });
  return csr_matrix<R>(like.members(), like.cut(), like.columns(), part, where);
}

template <class A, class B>
void check_alike(const char* call, const csr_matrix<A>& a, const csr_matrix<B>& b,
                 const site& where) {
  global::check_same_team(call, "the second matrix", b.members(), "the first matrix", a.members(),
                          where);
  check_same_cut(call, "the second matrix", b.cut(), a.cut(), where);
  check_equal(call, "the columns of the first matrix", a.columns(), "the columns of the second",
              b.columns(), where);
}

template <class A, class B, class One, class Other, class Both>
void meet_rows(const csr_rows<A>& a, const csr_rows<B>& b, std::size_t row, One&& one,
               Other&& other, Both&& both) {
  std::size_t i = a.begin_of(row);
  std::size_t j = b.begin_of(row);
  const std::size_t end_of_a = a.end_of(row);
  const std::size_t end_of_b = b.end_of(row);
  while (i < end_of_a && j < end_of_b) {
    if (a.columns[i] == b.columns[j]) {
      both(i++, j++);
    } else if (a.columns[i] < b.columns[j]) {
      one(i++);
    } else {
      other(j++);
    }
  }
  for (; i < end_of_a; ++i) one(i);
  for (; j < end_of_b; ++j) other(j);
}

template <class Monoid, class T>
[[nodiscard]] typename Monoid::value_type sum_of_row(const csr_rows<T>& rows, std::size_t row) {
  typename Monoid::value_type sum = Monoid::zero();
  for (std::size_t i = rows.begin_of(row); i < rows.end_of(row); ++i) {
    sum = Monoid::add(sum, rows.value(i));
  }
  return sum;
}

}  // namespace csr

/// Returns the entries for which keep(row, column, value) holds. Collective. Cost, also of all
/// functions below that return a matrix: 2 allgathers + 3 allreduces.
/// @throws the exception of `keep`; acre::error on other members
template <class T, std::predicate<std::size_t, std::size_t, const T&> Keep>
[[nodiscard]] csr_matrix<T> select(const csr_matrix<T>& a, Keep&& keep,
                                   const site& where = site::current()) {
  global::require_same_operands(a.members(), "select", where, a);
  const csr_rows<T> rows = a.local();
  return csr::made_by_rows<T>(a, "select", where, [&](std::size_t row, csr_part<T>& part) {
    for (std::size_t i = rows.begin_of(row); i < rows.end_of(row); ++i) {
      const std::size_t column = rows.columns[i];
      if (keep(rows.first + row, column, rows.value(i))) part.add(rows.columns[i], rows.value(i));
    }
  });
}

/// Matrix of f(value), or f(row, column, value). Collective.
template <class T, class F>
  requires std::invocable<F&, const T&> || std::invocable<F&, std::size_t, std::size_t, const T&>
[[nodiscard]] auto apply(const csr_matrix<T>& a, F&& f, const site& where = site::current()) {
  global::require_same_operands(a.members(), "apply", where, a);
  const csr_rows<T> rows = a.local();
  const auto value_of = [&](std::size_t row, std::size_t i) {
    if constexpr (std::invocable<F&, const T&>) {
      return f(rows.value(i));
    } else {
      return f(rows.first + row, std::size_t{rows.columns[i]}, rows.value(i));
    }
  };
  using result = std::remove_cvref_t<decltype(value_of(0, 0))>;
  return csr::made_by_rows<result>(a, "apply", where, [&](std::size_t row, csr_part<result>& part) {
    for (std::size_t i = rows.begin_of(row); i < rows.end_of(row); ++i) {
      part.add(rows.columns[i], value_of(row, i));
    }
  });
}

/// Union of entries; f combines values in equal places. Collective.
/// @throws acre::error on all members if teams, cuts or columns differ
template <class T, std::invocable<const T&, const T&> F>
[[nodiscard]] csr_matrix<T> ewise_add(const csr_matrix<T>& a, const csr_matrix<T>& b, F&& f,
                                      const site& where = site::current()) {
  global::require_same_operands(a.members(), "ewise_add", where, a, b);
  csr::check_alike("ewise_add", a, b, where);
  const csr_rows<T> left = a.local();
  const csr_rows<T> right = b.local();
  return csr::made_by_rows<T>(a, "ewise_add", where, [&](std::size_t row, csr_part<T>& part) {
    csr::meet_rows(
        left, right, row, [&](std::size_t i) { part.add(left.columns[i], left.value(i)); },
        [&](std::size_t j) { part.add(right.columns[j], right.value(j)); },
        [&](std::size_t i, std::size_t j) {
          part.add(left.columns[i], static_cast<T>(f(left.value(i), right.value(j))));
        });
  });
}

/// Intersection of entries, combined by f. Collective.
/// @throws as ewise_add
template <class A, class B, std::invocable<const A&, const B&> F>
[[nodiscard]] auto ewise_multiply(const csr_matrix<A>& a, const csr_matrix<B>& b, F&& f,
                                  const site& where = site::current()) {
  global::require_same_operands(a.members(), "ewise_multiply", where, a, b);
  csr::check_alike("ewise_multiply", a, b, where);
  using result = std::remove_cvref_t<std::invoke_result_t<F&, const A&, const B&>>;
  const csr_rows<A> left = a.local();
  const csr_rows<B> right = b.local();
  constexpr auto nothing = [](std::size_t) {};
  return csr::made_by_rows<result>(
      a, "ewise_multiply", where, [&](std::size_t row, csr_part<result>& part) {
        csr::meet_rows(left, right, row, nothing, nothing, [&](std::size_t i, std::size_t j) {
          part.add(left.columns[i], f(left.value(i), right.value(j)));
        });
      });
}

/// Sums each own row; zero if empty. Called by all members; no communication.
/// @throws acre::error for another cut or team
template <class Monoid, class T, row_vector Sums>
  requires additive<Monoid>
void reduce_rows(const csr_matrix<T>& a, Sums& sums, const site& where = site::current()) {
  global::require_same_operands(a.members(), "reduce_rows", where, a, sums);
  global::check_same_team("reduce_rows", "the vector", sums.members(), "the matrix", a.members(),
                          where);
  csr::check_same_cut("reduce_rows", "the vector", cut_of(sums), a.cut(), where);
  const csr_rows<T> rows = a.local();
  const auto results = sums.local();
  for (std::size_t row = 0; row < rows.count; ++row) {
    results[row] = csr::sum_of_row<Monoid>(rows, row);
  }
}

/// Sums all entries, on all members. Collective. Cost: 1 allreduce.
template <class Monoid, class T>
  requires additive<Monoid>
[[nodiscard]] typename Monoid::value_type reduce(const csr_matrix<T>& a,
                                                 const site& where = site::current()) {
  global::require_same_operands(a.members(), "reduce", where, a);
  const csr_rows<T> rows = a.local();
  typename Monoid::value_type sum = Monoid::zero();
  for (std::size_t i = 0; i < rows.entries(); ++i) sum = Monoid::add(sum, rows.value(i));
  return a.members().allreduce(
      sum, [](const auto& one, const auto& other) { return Monoid::add(one, other); }, where);
}

}  // namespace acre
