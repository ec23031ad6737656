// SPDX-License-Identifier: BSD-3-Clause
#include <acre/block/detail/copy_blocks.hpp>

#include <acre/block/block_values.hpp>
#include <acre/block/for_block_elements.hpp>
#include <acre/block/stage_together.hpp>

#include <complex>
#include <vector>

namespace acre::block_matrices {

template <class T>
void copy_blocks(const block_matrix<T>& from, block_transposition how, block_matrix<T>& to,
                 const site& where) {
  const bool keeps_half = to.symmetry() != block_symmetry::none;
  const auto put = [&](std::size_t row, std::size_t column, const T* values, std::size_t rows,
                       std::size_t columns) {
    if (how == block_transposition::none) {
      to.put_block(row, column, {values, rows * columns}, where);
      return;
    }
    std::vector<T> turned(rows * columns);
    mirror(values, rows, columns, turned.data(),
           how == block_transposition::conjugate_transposed ? block_symmetry::hermitian
                                                            : block_symmetry::symmetric);
    to.put_block(column, row, turned, where);
  };
  put_together("copy", to, where, [&] {
    from.each_local_block([&](std::size_t row, std::size_t column, const auto& block) {
      put(row, column, block.data(), block.extent(0), block.extent(1));
      if (from.symmetry() == block_symmetry::none || row == column || keeps_half) return;
      std::vector<T> other(block.size());
      mirror(block.data(), block.extent(0), block.extent(1), other.data(), from.symmetry());
      put(column, row, other.data(), block.extent(1), block.extent(0));
    });
  });
}

#define ACRE_INSTANTIATE(T)                                                                \
  template void copy_blocks(const block_matrix<T>&, block_transposition, block_matrix<T>&, \
                            const site&);
ACRE_FOR_BLOCK_ELEMENTS(ACRE_INSTANTIATE)
#undef ACRE_INSTANTIATE

}  // namespace acre::block_matrices
