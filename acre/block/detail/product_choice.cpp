// SPDX-License-Identifier: BSD-3-Clause
#include <acre/block/detail/product_choice.hpp>

#include <acre/block/block_values.hpp>
#include <acre/block/detail/block_numbers.hpp>
#include <acre/block/detail/factor_reading.hpp>
#include <acre/block/for_block_elements.hpp>

#include <algorithm>
#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace acre::block_matrices {

namespace {

/// Operations of the busiest member above which stealing pays.
constexpr double worth_sharing = 1e8;
/// Tolerated largest load, relative to the mean.
constexpr double tolerated = 1.3;
/// Weight of sent bytes, which are copied twice more.
constexpr double of_sending = 2;

std::vector<double> elements_by_inner(const blocks_of_others& indices, factor_side side,
                                      const block_sizes& sizes, const block_numbers& outer,
                                      const block_numbers& inner, std::size_t inners) {
  const bool is_left = side == factor_side::left;
  std::vector<double> elements(inners);
  for (const auto& part : indices.parts()) {
    for (const block_entry& each : part.index) {
      const std::uint32_t block = is_left ? each.row : each.column;
      const std::uint32_t of_inner = inner[is_left ? each.column : each.row];
      if (outer[block] == block_numbers::none || of_inner == block_numbers::none) continue;
      elements[of_inner] += sizes.size_of(block);
    }
  }
  return elements;
}

template <class T>
double expected_operations(const product_call<T>& call, const product_part& part,
                           const factor_indices& indices) {
  const block_sizes& rows = call.a.rows();
  const block_sizes& columns = call.b.columns();
  const block_numbers inner(part.inner, call.b.rows().blocks());
  const auto of_left =
      elements_by_inner(*indices.left, factor_side::left, rows,
                        block_numbers(part.rows, rows.blocks()), inner, part.inner.size());
  const auto of_right =
      elements_by_inner(*indices.right, factor_side::right, columns,
                        block_numbers(part.columns, columns.blocks()), inner, part.inner.size());
  double sum = 0;
  for (std::size_t k = 0; k < part.inner.size(); ++k) {
    sum += of_left[k] * of_right[k] * call.b.rows().size_of(part.inner[k]);
  }
  return static_cast<double>(operations_each<T>) * sum;
}

template <class T>
product_choice choose_by_work(const product_call<T>& call, const block_matrix<T>& c) {
  product_choice chosen;
  const product_part part = call.part_of(c, c.members().rank(), chosen.cell);
  chosen.indices = read_indices(call, part);
  const double mine = expected_operations(call, part, *chosen.indices);
  const double most = c.members().allreduce(mine, op::max, call.where);
  if (most < worth_sharing) return chosen;
  const double mean = c.members().allreduce(mine, op::sum, call.where) / c.members().size();
  const bool is_uneven = most > tolerated * mean;
  // Stealing is within a grid column.
  const bool has_others = c.distribution().grid().rows > 1;
  if (is_uneven && has_others) chosen.algorithm = multiply_algorithm::slicing;
  return chosen;
}

template <class T>
product_choice choose_by_traffic(const product_call<T>& call, const block_matrix<T>& c) {
  std::array<double, 2> bytes{};
  const auto of = [](const block_store& store) {
    return static_cast<double>(store.elements()) * sizeof(T);
  };
  bytes = {of(call.a.store()), of(call.b.store())};
  c.members().allreduce(std::span<double>(bytes), op::sum, call.where);
  const auto whole = [](const block_sizes& rows, const block_sizes& columns) {
    return static_cast<double>(rows.elements()) * static_cast<double>(columns.elements()) *
           sizeof(T);
  };
  const auto share = [](double some, double all) { return all == 0 ? 0 : some / all; };
  const double of_c = whole(c.rows(), c.columns()) *
                      expected_density(share(bytes[0], whole(call.a.rows(), call.a.columns())),
                                       share(bytes[1], whole(call.b.rows(), call.b.columns())),
                                       call.b.rows().blocks());
  const member_grid& grid = c.distribution().grid();
  product_choice best;
  double least = expected_traffic(grid, {}, bytes[0], bytes[1], of_c);
  each_cell(grid, [&](const layer_cell& cell) {
    const double traffic = expected_traffic(grid, cell, bytes[0], bytes[1], of_c);
    if (traffic >= least) return;
    least = traffic;
    best.cell = cell;
  });
  return best;
}

}  // namespace

double expected_traffic(const member_grid& grid, const layer_cell& cell, double of_a, double of_b,
                        double of_c) noexcept {
  const double layers = static_cast<double>(cell.layers());
  const double rows = static_cast<double>(grid.rows) / cell.rows;
  const double columns = static_cast<double>(grid.columns) / cell.columns;
  const double members = static_cast<double>(grid.size());
  const double reads =
      of_a / (rows * layers) - of_a / members + of_b / (columns * layers) - of_b / members;
  const double sends = of_c / (rows * columns) * (layers - 1) / layers;
  return reads + of_sending * sends;
}

template <class T>
product_choice choose(const product_call<T>& call, const block_matrix<T>& c) {
  const multiply_options& options = call.options;
  if (options.algorithm != multiply_algorithm::automatic || options.layers != 0) {
    return {.algorithm = options.algorithm == multiply_algorithm::automatic
                             ? multiply_algorithm::one_sided
                             : options.algorithm,
            .cell = cell_of(c.distribution().grid(), std::max<std::size_t>(1, options.layers))};
  }
  if (c.members().size() == 1) return {};
  return are_near(c.members()) ? choose_by_work(call, c) : choose_by_traffic(call, c);
}

#define ACRE_INSTANTIATE(T) \
  template product_choice choose(const product_call<T>&, const block_matrix<T>&);
ACRE_FOR_BLOCK_ELEMENTS(ACRE_INSTANTIATE)
#undef ACRE_INSTANTIATE

}  // namespace acre::block_matrices
