// SPDX-License-Identifier: BSD-3-Clause
// Products of matrices: c = alpha a b + beta c.
//
//     acre::matrix<double, 2> a(world(), {m, k}), b(world(), {k, n}), c(world(), {m, n});
//     acre::multiply(a, b, c);                              // a kernel of Acre's own
//     acre::multiply(a, b, c, acre::blas_product());        // blas.hpp: the BLAS of the program
//     acre::multiply(a, b, c, acre::xsmm_product());        // xsmm.hpp: faster, by LIBXSMM
//     acre::multiply(acre::transposed(b), acre::transposed(a), d);          // array/transposed.hpp
//     acre::multiply(2.0, acre::sub(a, part), b, 0.5, e);                   // boxes; factors
//
// The three lie as they like, each with a pattern of its own. Some way is taken that moves little
// (product_report.hpp): each member makes its own tiles of c, and reads what it needs of a and b;
// or it multiplies what it has of a or b, or a part that a grid of members gives it, and owners of
// c fetch the sums. What is mapped here (on this node) is multiplied where it lies; the rest is
// read one step ahead, while the step before is multiplied. The local product may be any function
// of boxes of plain memory.
//
// For tiles that stay where they are: R. van de Geijn and J. Watts, "SUMMA: scalable universal
// matrix multiplication algorithm" (1997); B. Brock and R. Golin, "Slicing is all you need: towards
// a universal one-sided algorithm for distributed matrix multiplication" (2025). For grids:
// detail/product_plan.hpp.
#pragma once

#include <acre/algorithm/detail/local_product.hpp>
#include <acre/algorithm/detail/product_operand.hpp>
#include <acre/algorithm/detail/product_run.hpp>
#include <acre/algorithm/plain_product.hpp>
#include <acre/algorithm/product_report.hpp>
#include <acre/array/matrix_view.hpp>
#include <acre/array/transposed.hpp>
#include <acre/base/site.hpp>
#include <acre/global/team/succeed_together.hpp>
#include <acre/layout/box.hpp>
#include <acre/view/call_ranges.hpp>
#include <acre/view/memory_of_members.hpp>

#include <concepts>
#include <type_traits>
#include <utility>

namespace acre {

/// Adds the product of two boxes of plain memory to a third, f(a, b, c), or makes alpha a b + beta
/// c of it, f(alpha, a, b, beta, c).
template <class F, class T>
concept local_product = algorithm::adding_product<F, T> || algorithm::scaling_product<F, T>;

namespace algorithm {

/// @throws acre::error when a b is not as large as c
void require_product(const char* call, const layout::coordinates<2>& a,
                     const layout::coordinates<2>& b, const layout::coordinates<2>& c,
                     const site& where);
/// @throws acre::error
[[noreturn]] void throw_product_onto_factor(const char* call, const char* which, const site& where);

/// What a product can read, and what it can write.
template <class M>
concept product_source = requires(const M& m) { source_of(m); };
template <class M>
concept product_target = requires(M& m) { target_of(m); };

template <product_source M>
using element_of_source =
    std::remove_const_t<typename decltype(source_of(std::declval<const M&>()))::value_type>;
template <product_target M>
using element_of_target = typename decltype(target_of(std::declval<M&>()))::value_type;

template <class A, class B, class C, class T = element_of_source<A>>
concept product_of = product_source<A> && product_source<B> && product_target<C> &&
                     std::same_as<element_of_source<A>, T> &&
                     std::same_as<element_of_source<B>, T> && std::same_as<element_of_target<C>, T>;

/// Whether one of them shows that these matrices are meant, and not sparse ones.
template <class A, class B, class C>
concept dense_operands = product_source<A> || product_source<B> || product_target<C> ||
                         ranges::distributed_range<const A> || ranges::distributed_range<const B>;
template <class A, class B, class C, class Product = plain_product>
inline constexpr bool takes_product = false;
template <class A, class B, class C, class Product>
  requires product_of<A, B, C>
inline constexpr bool takes_product<A, B, C, Product> =
    local_product<std::remove_reference_t<Product>, element_of_source<A>>;
/// Stops the compiler at operands of other types.
template <class A, class B, class C, class Product>
consteval void explain_product() {
  constexpr bool are_alike = takes_product<A, B, C>;
  static_assert(are_alike,
                "a, b and c are matrices, or boxes of them, of two dimensions, whose elements are "
                "of one type; those of c are not const. acre::copy(from, to) converts elements");
  constexpr bool adds = !are_alike || takes_product<A, B, C, Product>;
  static_assert(adds,
                "the local product is a function of three boxes of plain memory that adds the "
                "product of the first two to the third: f(a, b, c), as acre::plain_product");
}

template <class T, class A, class B, class C, class Product>
product_report multiply_checked(const T& alpha, const A& a, const B& b, const T& beta, const C& c,
                                Product& product, const product_wishes& wishes, const char* call,
                                const site& where) {
  require_product(call, a.extents(), b.extents(), c.extents(), where);
  product_run<T, A, B, C, Product> run(alpha, a, b, beta, c, product, call, where);
  global::succeed_together(c.members(), call, where, [&] {
    if (view::have_common_elements(c.view(), a.view()))
      throw_product_onto_factor(call, "first", where);
    if (view::have_common_elements(c.view(), b.view()))
      throw_product_onto_factor(call, "second", where);
    run.plan(wishes);
  });
  // Nothing has been written yet, and a member without memory has told the others.
  view::begin_collective_call(c.members(), call, where, {}, c.view(), a.view(), b.view());
  return run.run();
}

}  // namespace algorithm

/// c = alpha a b + beta c. Where beta is 0, what c had before counts for nothing; where alpha is 0,
/// a and b count for nothing, as in BLAS. a and b are matrices or boxes of them, as they are,
/// transposed() or adjoint(), of m x k and k x n elements; c is a matrix of m x n or a box of one,
/// and has no element in common with them. Any patterns; blocks of less than some hundred rows and
/// columns cost speed, for they are gathered. Members of other teams may hold a and b.
///
/// Elements need not commute: each of a comes before one of b, and alpha and beta are on the left.
/// An adding product with another alpha than 1 makes its sums beside c.
///
/// Collective in the team of c. Cost: 3 allreduces to agree on the way,
/// and l for each block; then 2 B and, of what lies on other nodes, R for each panel of 256 inner
/// indices; or, where owners fetch sums, 3 B, 1 allreduce and 1 allgather. Memory: two panels,
/// and what `wishes` allows. The same product by the same members has the same bits.
/// @return how it went
/// @throws acre::error on all members, before anything is written, when the extents do not fit, or
///         c has elements of a or b; where a member has no room or its local product throws, there
///         what it throws and elsewhere acre::error, and c may have been written in part
template <class A, class B, class C, class T = algorithm::element_of_source<A>,
          local_product<T> Product = plain_product>
  requires algorithm::product_of<A, B, C, T>
product_report multiply(const std::type_identity_t<T>& alpha, const A& a, const B& b,
                        const std::type_identity_t<T>& beta, C&& c, Product&& product = {},
                        const product_wishes& wishes = {}, const site& where = site::current()) {
  return algorithm::multiply_checked<T>(alpha, algorithm::source_of(a), algorithm::source_of(b),
                                        beta, algorithm::target_of(c), product, wishes, "multiply",
                                        where);
}

/// c = a b.
template <class A, class B, class C, class T = algorithm::element_of_source<A>,
          local_product<T> Product = plain_product>
  requires algorithm::product_of<A, B, C, T>
product_report multiply(const A& a, const B& b, C&& c, Product&& product = {},
                        const site& where = site::current()) {
  return algorithm::multiply_checked(T(1), algorithm::source_of(a), algorithm::source_of(b), T(0),
                                     algorithm::target_of(c), product, {}, "multiply", where);
}

/// c += a b.
template <class A, class B, class C, class T = algorithm::element_of_source<A>,
          local_product<T> Product = plain_product>
  requires algorithm::product_of<A, B, C, T>
product_report multiply_add(const A& a, const B& b, C&& c, Product&& product = {},
                            const site& where = site::current()) {
  return algorithm::multiply_checked(T(1), algorithm::source_of(a), algorithm::source_of(b), T(1),
                                     algorithm::target_of(c), product, {}, "multiply_add", where);
}

/// Compile errors for all other operands.
template <class A, class B, class C, class Product = plain_product>
  requires algorithm::dense_operands<A, B, C> && (!algorithm::takes_product<A, B, C, Product>)
product_report multiply(const A&, const B&, C&&, Product&& = {}, const site& = site::current()) {
  algorithm::explain_product<A, B, C, Product>();
  __builtin_unreachable();
}
template <class Alpha, class A, class B, class Beta, class C, class Product = plain_product>
  requires algorithm::dense_operands<A, B, C> && (!algorithm::takes_product<A, B, C, Product>)
product_report multiply(const Alpha&, const A&, const B&, const Beta&, C&&, Product&& = {},
                        const product_wishes& = {}, const site& = site::current()) {
  algorithm::explain_product<A, B, C, Product>();
  __builtin_unreachable();
}
template <class A, class B, class C, class Product = plain_product>
  requires algorithm::dense_operands<A, B, C> && (!algorithm::takes_product<A, B, C, Product>)
product_report
    multiply_add(const A&, const B&, C&&, Product&& = {}, const site& = site::current()) {
  algorithm::explain_product<A, B, C, Product>();
  __builtin_unreachable();
}

// Products without a result: compilers show the line of a deleted constructor.
namespace algorithm {
struct a_matrix_for_the_product {
  template <ranges::distributed_range R>
  a_matrix_for_the_product(const R&) = delete;  // write multiply(a, b, c), multiply_add(a, b, c)
};
}  // namespace algorithm
template <class A>
void multiply(const A&, algorithm::a_matrix_for_the_product);
template <class A>
void multiply_add(const A&, algorithm::a_matrix_for_the_product);

}  // namespace acre
