// SPDX-License-Identifier: BSD-3-Clause
// Cannon's algorithm: panels of a shift along grid rows, panels of b along columns.
//
// In an R x C grid, member (r, c) starts with a of (r, (r + c) mod C) and b of ((r + c) mod R, c).
// Each of lcm(R, C) steps reads neighbours' panels during multiplication. For R != C, inner indices
// are multiplied where both panels meet; a's columns and b's rows must agree modulo gcd(R, C).
// Indices are read first, for c's pattern.
#pragma once

#include <acre/block/detail/product_call.hpp>

namespace acre::block_matrices {

struct cannon_distributions {
  block_distribution left;
  block_distribution right;
};
[[nodiscard]] cannon_distributions for_cannon(const block_distribution& a,
                                              const block_distribution& b,
                                              const block_distribution& c);

/// Called between a product's barriers, with the distributions of for_cannon().
template <class T>
void cannon_product(const product_call<T>& call, block_matrix<T>& c, multiply_report& report);

}  // namespace acre::block_matrices
