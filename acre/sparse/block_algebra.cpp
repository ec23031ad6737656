#include <acre/sparse/block_algebra.hpp>
#include <acre/sparse/detail/block_values.hpp>

#include <vector>

namespace acre {

namespace detail {

template <class T>
void copy_blocks(const block_matrix<T>& from, block_transposition how, block_matrix<T>& to,
                 const site& where) {
  const bool keeps_half = to.symmetry() != block_symmetry::none;
  std::vector<T> turned;
  from.each_local_block([&](std::size_t row, std::size_t column, const box_span<const T, 2>& block) {
    const auto put = [&](std::size_t i, std::size_t j, const T* values, std::size_t rows,
                         std::size_t columns) {
      if (how == block_transposition::none) {
        to.put_block(i, j, {values, rows * columns}, where);
        return;
      }
      std::vector<T> other(rows * columns);
      mirror(values, rows, columns, other.data(),
             how == block_transposition::conjugate_transposed ? block_symmetry::hermitian
                                                              : block_symmetry::symmetric);
      to.put_block(j, i, other, where);
    };
    put(row, column, block.data(), block.extent(0), block.extent(1));
    if (from.symmetry() == block_symmetry::none || row == column || keeps_half) return;
    turned.resize(block.size());
    mirror(block.data(), block.extent(0), block.extent(1), turned.data(), from.symmetry());
    put(column, row, turned.data(), block.extent(1), block.extent(0));
  });
  to.finalise(where);
}

template void copy_blocks(const block_matrix<float>&, block_transposition, block_matrix<float>&,
                          const site&);
template void copy_blocks(const block_matrix<double>&, block_transposition, block_matrix<double>&,
                          const site&);
template void copy_blocks(const block_matrix<std::complex<float>>&, block_transposition,
                          block_matrix<std::complex<float>>&, const site&);
template void copy_blocks(const block_matrix<std::complex<double>>&, block_transposition,
                          block_matrix<std::complex<double>>&, const site&);

}  // namespace detail

}  // namespace acre
