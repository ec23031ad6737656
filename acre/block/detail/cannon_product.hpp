// SPDX-License-Identifier: BSD-3-Clause
// c = alpha a b + beta c by Cannon's algorithm: panels of a wander along the rows of the grid,
// panels of b along its columns, and each member multiplies those that meet at it.
//
// In a grid of R x C, member (r, c) begins with the blocks of a of member (r, (r + c) mod C), and
// those of b of member ((r + c) mod R, c). In each step it reads the next ones from its neighbours
// in the row and in the column, which have them, while it multiplies its own. After lcm(R, C)
// steps all have met. Where R and C differ, panels go round several times; an inner index is
// multiplied where both its panels are, which asks that its column of a and its row of b are dealt
// alike modulo gcd(R, C).
//
// Indices are read first, one-sided, so that the blocks of c are known before the first step.
#pragma once

#include <acre/block/detail/product_call.hpp>

namespace acre::block_matrices {

/// How the factors of a product must lie for shifts, given how its result does.
struct cannon_distributions {
  block_distribution left;
  block_distribution right;
};
[[nodiscard]] cannon_distributions for_cannon(const block_distribution& a,
                                              const block_distribution& b,
                                              const block_distribution& c);

/// Between the first barrier of a product and its last, of factors that lie as for_cannon() says.
template <class T>
void cannon_product(const product_call<T>& call, block_matrix<T>& c, multiply_report& report);

}  // namespace acre::block_matrices
