// SPDX-License-Identifier: BSD-3-Clause
#include <acre/block/detail/one_sided_product.hpp>

#include <acre/block/detail/part_product.hpp>
#include <acre/block/detail/product_result.hpp>
#include <acre/block/for_block_elements.hpp>
#include <acre/global/team/succeed_together.hpp>

#include <complex>

namespace acre::block_matrices {

template <class T>
void one_sided_product(const product_call<T>& call, block_matrix<T>& c, const layer_cell& cell,
                       const std::optional<factor_indices>& known, multiply_report& report) {
  const product_part part = call.part_of(c, c.members().rank(), cell);
  product_result<T> result(call, c, part, cell);
  global::succeed_together(c.members(), "multiply", call.where, [&] {
    const factor_indices indices = known ? *known : read_indices(call, part);
    report.bytes_read += indices.bytes_read();
    part_product<T> product(call, part, indices, c.symmetry());
    result.begin(product.pattern(result.there()));
    product.run(result, call.memory());
    product.note(report);
  });
  result.accept(report);
}

#define ACRE_INSTANTIATE(T)                                                                       \
  template void one_sided_product<T>(const product_call<T>&, block_matrix<T>&, const layer_cell&, \
                                     const std::optional<factor_indices>&, multiply_report&);
ACRE_FOR_BLOCK_ELEMENTS(ACRE_INSTANTIATE)
#undef ACRE_INSTANTIATE

}  // namespace acre::block_matrices
