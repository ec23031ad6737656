// SPDX-License-Identifier: BSD-3-Clause
// Product by tasks of a few rows of c; idle members steal within their grid column, whose columns
// of b they have read. An atomic add at the owner claims a task; stolen results are sent at the
// end. Memory for b is unbounded.
#pragma once

#include <acre/block/detail/factor_indices.hpp>
#include <acre/block/detail/product_call.hpp>

#include <optional>

namespace acre::block_matrices {

/// Within a product's barriers. @param known  indices, if read
template <class T>
void sliced_product(const product_call<T>& call, block_matrix<T>& c,
                    const std::optional<factor_indices>& known, multiply_report& report);

}  // namespace acre::block_matrices
