// SPDX-License-Identifier: BSD-3-Clause
#include <acre/block/detail/sliced_product.hpp>

#include <acre/block/detail/block_numbers.hpp>
#include <acre/block/detail/factor_reading.hpp>
#include <acre/block/detail/product_result.hpp>
#include <acre/block/for_block_elements.hpp>
#include <acre/global/memory/atomic.hpp>
#include <acre/global/memory/put_get.hpp>
#include <acre/global/team/succeed_together.hpp>
#include <acre/global/team/symmetric_array.hpp>

#include <algorithm>
#include <complex>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace acre::block_matrices {

namespace {

/// Balances stealing cost and final imbalance.
constexpr std::size_t tasks_of_member = 24;

[[nodiscard]] std::size_t rows_of_task(std::size_t rows) {
  return std::max<std::size_t>(1, rows / tasks_of_member);
}

template <class T>
class slicing {
 public:
  slicing(const product_call<T>& call, block_matrix<T>& c,
          const std::optional<factor_indices>& known, const symmetric_array<std::uint64_t>& taken)
      : call_(call),
        c_(c),
        taken_(taken),
        own_(call.part_of(c, c.members().rank(), {})),
        own_indices_(known ? *known : read_indices(call, own_)),
        inner_(own_.inner, call.b.rows().blocks()),
        right_(own_indices_.right, call.b.distribution(), factor_side::right,
               block_numbers(own_.columns, call.b.columns().blocks()), inner_) {
    arrived_ = right_.begin_reading({0, own_.inner.size()}, call.where);
    quiet();
    largest_ = right_.largest_norms(own_.inner.size());
    tile_ = tile_for(call, own_, right_.blocks().size(), right_.blocks().size(),
                     rows_of_task(own_.rows.size()));
    tiled_ = std::make_unique<tiled_factor<T>>(std::move(arrived_.blocks), own_.columns.size(),
                                               own_.inner.size(), tile_);
    if (call.options.filter > 0) tiled_->sort_by_norm();
  }

  void run(multiply_report& report) {
    report.bytes_read += own_indices_.bytes_read() + right_.bytes_read();
    const member_grid& grid = c_.distribution().grid();
    const rank_t row = grid.row_of(c_.members().rank());
    const rank_t column = grid.column_of(c_.members().rank());
    for (rank_t i = 0; i < grid.rows; ++i) {
      steal_tasks_of(grid.member((row + i) % grid.rows, column), report);
    }
  }

  void give(multiply_report& report) {
    for (outcome& each : outcomes_) {
      give_shares(call_, c_, each.part, each.pattern, each.data.template as<T>(), report);
      each.data = {};
    }
  }

 private:
  struct outcome {
    product_part part;
    product_pattern pattern;
    global::segment_block data;
  };
  struct known_indices {
    std::shared_ptr<const blocks_of_others> of_a;
    std::unique_ptr<const blocks_of_others> of_c;
  };

  void steal_tasks_of(rank_t owner, multiply_report& report) {
    const auto rows = call_.part_of(c_, owner, {}).rows;
    const std::size_t step = rows_of_task(rows.size());
    const std::size_t tasks = (rows.size() + step - 1) / step;
    std::optional<known_indices> known;
    while (true) {
      const std::uint64_t task = fetch_add(taken_.pointer(owner), std::uint64_t{1});
      if (task >= tasks) return;
      if (owner != c_.members().rank()) ++report.tasks_taken;
      if (!known) known = indices_for(owner, rows, report);
      const auto first = rows.begin() + static_cast<std::ptrdiff_t>(task * step);
      const auto last =
          rows.begin() + static_cast<std::ptrdiff_t>(std::min(rows.size(), (task + 1) * step));
      perform({.rows = {first, last}, .columns = own_.columns, .inner = own_.inner}, *known,
              report);
    }
  }

  [[nodiscard]] known_indices indices_for(rank_t owner, std::span<const std::uint32_t> rows,
                                          multiply_report& report) const {
    known_indices known{.of_a = own_indices_.left, .of_c = nullptr};
    if (owner != c_.members().rank()) {
      known.of_a = read_indices(call_.a, rows, own_.inner, call_.where);
      report.bytes_read += known.of_a->bytes_read();
    }
    if (call_.options.keep_pattern) {
      known.of_c =
          std::make_unique<const blocks_of_others>(c_.store(), std::span(&owner, 1), call_.where);
      report.bytes_read += known.of_c->bytes_read();
    }
    return known;
  }

  void perform(product_part part, const known_indices& known, multiply_report& report) {
    const double filter = call_.options.filter;
    factor_reading<T> left(known.of_a, call_.a.distribution(), factor_side::left,
                           block_numbers(part.rows, c_.rows().blocks()), inner_);
    left.leave_out(largest_, filter);
    auto arrived = left.begin_reading({0, part.inner.size()}, call_.where);
    outcome made{.part = std::move(part), .pattern = {}, .data = {}};
    quiet();
    report.bytes_read += left.bytes_read();
    const tiled_factor<T> a(std::move(arrived.blocks), made.part.rows.size(),
                            made.part.inner.size(), tile_);
    block_product<T> product(call_.a.rows(), call_.b.columns(), call_.a.columns(), made.part,
                             call_.threads());
    if (call_.options.keep_pattern) {
      made.pattern = blocks_there(known.of_c->parts().front().index, made.part, c_);
      product.complete(made.pattern);
    } else {
      made.pattern = product.pattern(a, *tiled_, filter, blocks_there<T>({}, made.part, c_),
                                     [&](std::size_t row, std::size_t column) {
                                       return is_stored(c_.symmetry(), row, column);
                                     });
    }
    made.data = global::segment_block(made.pattern.elements() * sizeof(T));
    product.add(a, *tiled_, filter, made.pattern, made.data.template as<T>(), true,
                [](std::size_t, T*, std::size_t) {});
    report.products += product.products();
    report.operations += product.operations();
    outcomes_.push_back(std::move(made));
  }

  const product_call<T>& call_;
  block_matrix<T>& c_;
  const symmetric_array<std::uint64_t>& taken_;
  product_part own_;
  factor_indices own_indices_;
  block_numbers inner_;
  factor_reading<T> right_;
  typename factor_reading<T>::arrivals arrived_;
  std::vector<double> largest_;
  std::size_t tile_ = 1;
  std::unique_ptr<tiled_factor<T>> tiled_;
  std::vector<outcome> outcomes_;
};

}  // namespace

template <class T>
void sliced_product(const product_call<T>& call, block_matrix<T>& c,
                    const std::optional<factor_indices>& known, multiply_report& report) {
  const symmetric_array<std::uint64_t> taken(c.members(), 1, call.where);
  std::unique_ptr<slicing<T>> work;
  global::succeed_together(c.members(), "multiply", call.where, [&] {
    work = std::make_unique<slicing<T>>(call, c, known, taken);
    work->run(report);
  });
  add_shares(call, c, [&] {
    work->give(report);
    work.reset();
  });
}

#define ACRE_INSTANTIATE(T)                                                 \
  template void sliced_product<T>(const product_call<T>&, block_matrix<T>&, \
                                  const std::optional<factor_indices>&, multiply_report&);
ACRE_FOR_BLOCK_ELEMENTS(ACRE_INSTANTIATE)
#undef ACRE_INSTANTIATE

}  // namespace acre::block_matrices
