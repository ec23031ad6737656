// Products of matrices: c = a b.
//
//     acre::matrix<double, 2> a(world(), {m, k}), b(world(), {k, n}), c(world(), {m, n});
//     acre::multiply(a, b, c);                              // a kernel of Acre's own
//     acre::multiply(a, b, c, acre::blas_product());        // blas.hpp: the BLAS of the program
//
// SUMMA: each member makes its own blocks of c. It walks along the inner dimension, a panel at a
// time, and takes what its rows need of a, and its columns of b. What is mapped here (on this node)
// is multiplied where it lies; the rest is read ahead by one panel, while the one before is
// multiplied. Each member begins with its own panel of a, so that not all read from the same one.
// The local product may be any function of three boxes of plain memory that adds a b to c.
//
// R. van de Geijn and J. Watts, "SUMMA: scalable universal matrix multiplication algorithm" (1997);
// here panels are read, where they are broadcast there.
#pragma once

#include <acre/algorithm/detail/summa.hpp>
#include <acre/algorithm/detail/then_barrier.hpp>
#include <acre/algorithm/plain_product.hpp>
#include <acre/array/matrix_view.hpp>
#include <acre/base/site.hpp>
#include <acre/layout/properties.hpp>
#include <acre/view/box_span.hpp>

#include <algorithm>
#include <concepts>
#include <span>

namespace acre {

/// Adds the product of two boxes of plain memory to a third.
template <class F, class T>
concept local_product = std::invocable<F&, const box_span<const T, 2>&, const box_span<const T, 2>&,
                                       const box_span<T, 2>&>;

namespace detail {

/// c += a b after begin(); errors are of `call`.
template <class T, class A, class B, class C, class Product, class Begin>
void multiply_after(Begin&& begin, const char* call, const A& a, const B& b, C& c, Product& product,
                    const site& where) {
  require_product(call, a.extents(), b.extents(), c.extents(), where);
  require_other_memory(call, memory_of(a), memory_of(b), memory_of(c), where);
  between_barriers(c.members(), where, [&] {
    begin();
    summa<T>(whole(a), whole(b), whole(c), product, where);
  });
}

}  // namespace detail

/// c += a b. All are over members in a grid (`cyclic_mapping`), or it would not do with rows and
/// columns of it; c is neither of the others. Any extents, blocks and grids; blocks of less than
/// some hundred rows and columns cost speed. Collective in the team of c, of which each member
/// reads the rows of a and the columns of b that its own blocks lie in, those of other nodes by R
/// for each panel; memory: two panels of those, 256 deep. 2 B. Besides the products, l for each of
/// them, of parts of blocks, and for each part of a panel: nothing is searched for.
/// @throws acre::error on all members, before anything is written, when the extents do not fit, or
///         c lies in the memory of another one
template <class T, class PatternA, class PatternB, class PatternC,
          local_product<T> Product = plain_product>
  requires layout::pattern_satisfies<PatternA, layout::cyclic_mapping> &&
           layout::pattern_satisfies<PatternB, layout::cyclic_mapping> &&
           layout::pattern_satisfies<PatternC, layout::cyclic_mapping>
void multiply_add(const matrix<T, 2, PatternA>& a, const matrix<T, 2, PatternB>& b,
                  matrix<T, 2, PatternC>& c, Product&& product = {},
                  const site& where = site::current()) {
  detail::multiply_after<T>([] {}, "multiply_add", a, b, c, product, where);
}

/// c = a b; the same otherwise.
template <class T, class PatternA, class PatternB, class PatternC,
          local_product<T> Product = plain_product>
  requires layout::pattern_satisfies<PatternA, layout::cyclic_mapping> &&
           layout::pattern_satisfies<PatternB, layout::cyclic_mapping> &&
           layout::pattern_satisfies<PatternC, layout::cyclic_mapping>
void multiply(const matrix<T, 2, PatternA>& a, const matrix<T, 2, PatternB>& b,
              matrix<T, 2, PatternC>& c, Product&& product = {},
              const site& where = site::current()) {
  const auto clear = [&c] {
    c.each_local_block([](const auto&, const box_span<T, 2>& block) {
      block.each_run([](std::span<T> run) { std::ranges::fill(run, T{}); });
    });
  };
  detail::multiply_after<T>(clear, "multiply", a, b, c, product, where);
}

}  // namespace acre
