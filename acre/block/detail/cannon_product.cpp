// SPDX-License-Identifier: BSD-3-Clause
#include <acre/block/detail/cannon_product.hpp>

#include <acre/block/detail/block_numbers.hpp>
#include <acre/block/detail/factor_indices.hpp>
#include <acre/block/detail/part_product.hpp>
#include <acre/block/detail/product_result.hpp>
#include <acre/block/for_block_elements.hpp>
#include <acre/global/memory/put_get.hpp>
#include <acre/global/team/succeed_together.hpp>
#include <acre/global/team/symmetric_array.hpp>

#include <algorithm>
#include <array>
#include <complex>
#include <cstddef>
#include <exception>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace acre::block_matrices {

namespace {

/// Owners of b's block rows, congruent to a's columns modulo the grid's gcd; unchanged if they
/// match.
block_owners matching_owners(const block_owners& of_a, const block_owners& of_b,
                             const member_grid& grid) {
  const rank_t divisor = std::gcd(grid.rows, grid.columns);
  const auto matches = [&](std::size_t k) { return of_a[k] % divisor == of_b[k] % divisor; };
  std::size_t k = 0;
  while (k < of_a.all().size() && of_b[k] < grid.rows && matches(k)) ++k;
  if (k == of_a.all().size()) return of_b;
  std::vector<rank_t> owners(of_a.all().size());
  std::vector<rank_t> turn(divisor);
  for (std::size_t i = 0; i < owners.size(); ++i) {
    const rank_t rest = of_a[i] % divisor;
    owners[i] = rest + divisor * (turn[rest]++ % (grid.rows / divisor));
  }
  return block_owners(std::move(owners));
}

/// Double-buffered panels, read by the neighbour.
template <class T>
class wandering_panels {
 public:
  wandering_panels(const team& members, std::size_t most_entries, std::size_t most_elements,
                   rank_t previous, const site& where)
      : previous_(previous) {
    for (std::size_t i = 0; i < 2; ++i) {
      headings_[i] = symmetric_array<heading>(members, 1, where);
      indices_[i] = symmetric_array<block_entry>(members, most_entries, where);
      elements_[i] = symmetric_array<T>(members, most_elements, where);
    }
  }

  [[nodiscard]] std::size_t begin(const block_store& from, rank_t member, const site& where) {
    const auto there = acre::get(from.heading_of(member), where);
    if (there.entries > 0) {
      get_nbi(global_ptr<const block_entry>::from_bits(there.index),
              indices_[now_].local().first(there.entries), where);
    }
    if (there.elements > 0) {
      get_nbi(global_ptr<const T>::from_bits(there.data),
              elements_[now_].local().first(there.elements), where);
    }
    quiet();
    headings_[now_].local().front() = {there.entries, there.elements};
    return there.entries * sizeof(block_entry) + there.elements * sizeof(T);
  }

  [[nodiscard]] std::span<const block_entry> index() const {
    return indices_[now_].local().first(headings_[now_].local().front().entries);
  }
  [[nodiscard]] const T* elements() const { return elements_[now_].local().data(); }

  /// Starts to read the next panel; complete after quiet(). @return bytes
  [[nodiscard]] std::size_t begin_next(const site& where) {
    const std::size_t next = 1 - now_;
    const heading there = acre::get(headings_[now_].pointer(previous_), where);
    headings_[next].local().front() = there;
    get_nbi(indices_[now_].pointer(previous_), indices_[next].local().first(there.entries), where);
    get_nbi(elements_[now_].pointer(previous_), elements_[next].local().first(there.elements),
            where);
    return there.entries * sizeof(block_entry) + there.elements * sizeof(T);
  }
  void become_next() noexcept { now_ = 1 - now_; }

 private:
  struct heading {
    std::size_t entries = 0;
    std::size_t elements = 0;
  };

  rank_t previous_;
  std::size_t now_ = 0;
  std::array<symmetric_array<heading>, 2> headings_;
  std::array<symmetric_array<block_entry>, 2> indices_;
  std::array<symmetric_array<T>, 2> elements_;
};

template <class T>
factor_blocks<T> blocks_of(const wandering_panels<T>& panel, factor_side side,
                           const block_numbers& outer, const block_numbers& inner) {
  factor_blocks<T> blocks;
  for (const block_entry& each : panel.index()) {
    const bool is_left = side == factor_side::left;
    const std::uint32_t of_outer = outer[is_left ? each.row : each.column];
    const std::uint32_t of_inner = inner[is_left ? each.column : each.row];
    if (of_outer == block_numbers::none || of_inner == block_numbers::none) continue;
    blocks.push_back({of_outer, of_inner, each.norm, panel.elements() + each.offset});
  }
  return blocks;
}

}  // namespace

cannon_distributions for_cannon(const block_distribution& a, const block_distribution& b,
                                const block_distribution& c) {
  const member_grid& grid = c.grid();
  const bool fits = a.grid() == grid;
  const block_owners of_a =
      fits ? a.column_owners() : block_owners::in_turn(a.columns(), grid.columns);
  return {.left = {a.rows(), a.columns(), grid, c.row_owners(), of_a},
          .right = {b.rows(), b.columns(), grid, matching_owners(of_a, b.row_owners(), grid),
                    c.column_owners()}};
}

template <class T>
void cannon_product(const product_call<T>& call, block_matrix<T>& c, multiply_report& report) {
  const team& members = c.members();
  const member_grid& grid = c.distribution().grid();
  const rank_t row = grid.row_of(members.rank());
  const rank_t column = grid.column_of(members.rank());
  const std::size_t steps = std::lcm<std::size_t>(grid.rows, grid.columns);
  const auto most = [&](std::size_t here) { return members.allreduce(here, op::max, call.where); };
  wandering_panels<T> left(members, most(call.a.store().index().size()),
                           most(call.a.store().elements()),
                           grid.member(row, (column + 1) % grid.columns), call.where);
  wandering_panels<T> right(members, most(call.b.store().index().size()),
                            most(call.b.store().elements()),
                            grid.member((row + 1) % grid.rows, column), call.where);

  const product_part part = call.part_of(c, members.rank(), {});
  const block_numbers rows(part.rows, c.rows().blocks());
  const block_numbers columns(part.columns, c.columns().blocks());
  const block_numbers inner(part.inner, call.b.rows().blocks());
  product_result<T> result(call, c, part, {});
  std::optional<part_product<T>> product;
  global::succeed_together(members, "multiply", call.where, [&] {
    const factor_indices indices = read_indices(call, part);
    report.bytes_read += indices.bytes_read();
    product.emplace(call, part, indices, c.symmetry());
    result.begin(product->pattern(result.there()));
  });
  report.bytes_read +=
      left.begin(call.a.store(), grid.member(row, (row + column) % grid.columns), call.where) +
      right.begin(call.b.store(), grid.member((row + column) % grid.rows, column), call.where);
  std::exception_ptr failure;
  for (std::size_t step = 0; step < steps; ++step) {
    members.barrier(call.where);  // panels are complete, and old ones no longer read
    const bool is_last = step + 1 == steps;
    if (!is_last) report.bytes_read += left.begin_next(call.where) + right.begin_next(call.where);
    try {
      if (failure == nullptr) {
        product->add(blocks_of(left, factor_side::left, rows, inner),
                     blocks_of(right, factor_side::right, columns, inner), result, step == 0,
                     is_last);
      }
    } catch (...) {  // other members still need the panels
      failure = std::current_exception();
    }
    quiet();
    left.become_next();
    right.become_next();
  }
  product->note(report);
  global::succeed_together(members, "multiply", call.where, [&] {
    if (failure != nullptr) std::rethrow_exception(failure);
  });
  result.accept(report);
}

#define ACRE_INSTANTIATE(T) \
  template void cannon_product<T>(const product_call<T>&, block_matrix<T>&, multiply_report&);
ACRE_FOR_BLOCK_ELEMENTS(ACRE_INSTANTIATE)
#undef ACRE_INSTANTIATE

}  // namespace acre::block_matrices
