// SPDX-License-Identifier: BSD-3-Clause
// Matrix products: c = alpha a b + beta c.
//
//     acre::multiply(2.0, acre::sub(a, part), acre::transposed(b), 0.5, c);
//     acre::multiply(a, b, c, acre::xsmm_product());        // or blas_product()
//
// A cost model chooses the algorithm (product_report.hpp).
//
// R. van de Geijn, J. Watts, "SUMMA: scalable universal matrix multiplication algorithm" (1997); B.
// Brock, R. Golin, "Slicing is all you need: towards a universal one-sided algorithm for
// distributed matrix multiplication" (2025).
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

/// Product of local boxes: f(a, b, c): c += a b, or f(alpha, a, b, beta, c): c = alpha a b + beta
/// c.
template <class F, class T>
concept local_product = algorithm::adding_product<F, T> || algorithm::scaling_product<F, T>;

namespace algorithm {

void require_product(const char* call, const layout::coordinates<2>& a,
                     const layout::coordinates<2>& b, const layout::coordinates<2>& c,
                     const site& where);
[[noreturn]] void throw_product_onto_factor(const char* call, const char* which, const site& where);

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

template <class A, class B, class C>
concept dense_operands = product_source<A> || product_source<B> || product_target<C> ||
                         ranges::distributed_range<const A> || ranges::distributed_range<const B>;
template <class A, class B, class C, class Product = plain_product>
inline constexpr bool takes_product = false;
template <class A, class B, class C, class Product>
  requires product_of<A, B, C>
inline constexpr bool takes_product<A, B, C, Product> =
    local_product<std::remove_reference_t<Product>, element_of_source<A>>;
template <class A, class B, class C, class Product>
consteval void explain_product() {
  constexpr bool are_alike = takes_product<A, B, C>;
  static_assert(are_alike,
                "a, b and c must be two-dimensional matrices, or boxes of them, of one element "
                "type, and c not const: acre::copy(from, to) converts elements");
  constexpr bool adds = !are_alike || takes_product<A, B, C, Product>;
  static_assert(adds,
                "the local product must be a function f(a, b, c) of three boxes of local memory "
                "that adds the product of a and b to c, for example acre::plain_product");
}

template <class T, class A, class B, class C, class Product>
product_report multiply_checked(const T& alpha, const A& a, const B& b, const T& beta, const C& c,
                                Product& product, const product_options& options, const char* call,
                                const site& where) {
  require_product(call, a.extents(), b.extents(), c.extents(), where);
  product_run<T, A, B, C, Product> run(alpha, a, b, beta, c, product, call, where);
  global::succeed_together(c.members(), call, where, [&] {
    if (view::have_common_elements(c.view(), a.view()))
      throw_product_onto_factor(call, "first", where);
    if (view::have_common_elements(c.view(), b.view()))
      throw_product_onto_factor(call, "second", where);
    run.plan(options);
  });
  view::begin_collective_call(c.members(), call, where, {}, c.view(), a.view(), b.view());
  return run.run();
}

}  // namespace algorithm

/// c = alpha a b + beta c. As in BLAS, beta = 0 ignores c, and alpha = 0 ignores a and b. a and b
/// may be boxes, transposed() or adjoint(), of other teams; c may be a box, and must not overlap a
/// or b. Blocks below some hundred rows and columns are slower. Elements need not commute: products
/// are alpha (a b) and beta c. A local product f(a, b, c) uses a buffer if alpha is not 1.
///
/// Collective in the team of c. Cost: 3 allreduces, l per block; then 1 B and 1 allreduce, and R
/// for each remote block of a panel of at most 256 inner indices. Algorithms other than keeps_c:
/// also 1 allreduce and 1 allgather. Memory: two panels, a copy of own c unless its tiles form one
/// array, and `options.memory`. Bitwise reproducible with the same members.
/// @throws acre::error on all members, before any write, if extents do not fit or c overlaps a or
/// b. If a member lacks memory or its local product throws: its exception, acre::error elsewhere; c
/// is partly written
template <class A, class B, class C, class T = algorithm::element_of_source<A>,
          local_product<T> Product = plain_product>
  requires algorithm::product_of<A, B, C, T>
product_report multiply(const std::type_identity_t<T>& alpha, const A& a, const B& b,
                        const std::type_identity_t<T>& beta, C&& c, Product&& product = {},
                        const product_options& options = {}, const site& where = site::current()) {
  return algorithm::multiply_checked<T>(alpha, algorithm::source_of(a), algorithm::source_of(b),
                                        beta, algorithm::target_of(c), product, options, "multiply",
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

template <class A, class B, class C, class Product = plain_product>
  requires algorithm::dense_operands<A, B, C> && (!algorithm::takes_product<A, B, C, Product>)
product_report multiply(const A&, const B&, C&&, Product&& = {}, const site& = site::current()) {
  algorithm::explain_product<A, B, C, Product>();
  __builtin_unreachable();
}
template <class Alpha, class A, class B, class Beta, class C, class Product = plain_product>
  requires algorithm::dense_operands<A, B, C> && (!algorithm::takes_product<A, B, C, Product>)
product_report multiply(const Alpha&, const A&, const B&, const Beta&, C&&, Product&& = {},
                        const product_options& = {}, const site& = site::current()) {
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
