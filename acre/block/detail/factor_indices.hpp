// SPDX-License-Identifier: BSD-3-Clause
// Block indices of both factors, read from their owners once per product.
#pragma once

#include <acre/base/site.hpp>
#include <acre/block/block_matrix.hpp>
#include <acre/block/detail/block_store.hpp>
#include <acre/block/detail/product_call.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace acre::block_matrices {

struct factor_indices {
  std::shared_ptr<const blocks_of_others> left;
  std::shared_ptr<const blocks_of_others> right;

  [[nodiscard]] std::size_t bytes_read() const noexcept {
    return left->bytes_read() + right->bytes_read();
  }
};

/// Within a collective's barriers.
template <class T>
[[nodiscard]] std::shared_ptr<const blocks_of_others> read_indices(
    const block_matrix<T>& matrix, std::span<const std::uint32_t> rows,
    std::span<const std::uint32_t> columns, const site& where);
template <class T>
[[nodiscard]] factor_indices read_indices(const product_call<T>& call, const product_part& part) {
  return {.left = read_indices(call.a, part.rows, part.inner, call.where),
          .right = read_indices(call.b, part.inner, part.columns, call.where)};
}

}  // namespace acre::block_matrices
