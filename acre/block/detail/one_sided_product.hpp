// SPDX-License-Identifier: BSD-3-Clause
// Product by one-sided reads: members compute their blocks of c or, with layers (2.5-D), part of
// their cell's products. Members of a cell split inner indices and send sums to owners, in member
// order.
#pragma once

#include <acre/block/detail/factor_indices.hpp>
#include <acre/block/detail/product_call.hpp>

#include <optional>

namespace acre::block_matrices {

/// Within a product's barriers.
/// @param known  indices, if read
template <class T>
void one_sided_product(const product_call<T>& call, block_matrix<T>& c, const layer_cell& cell,
                       const std::optional<factor_indices>& known, multiply_report& report);

}  // namespace acre::block_matrices
