// SPDX-License-Identifier: BSD-3-Clause
// Multiplies a member's bricks panel by panel (intervals of the inner dimension), while the next
// panel is read.
#pragma once

#include <acre/algorithm/detail/index_set.hpp>
#include <acre/algorithm/detail/local_product.hpp>
#include <acre/algorithm/detail/product_panel.hpp>
#include <acre/algorithm/detail/product_plan.hpp>
#include <acre/base/site.hpp>
#include <acre/global/memory/quiet_on_failure.hpp>
#include <acre/global/transfer/completion.hpp>
#include <acre/view/box_span.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace acre::algorithm {

template <class A, class B, class Product>
class product_member {
  using T = typename A::value_type;
  /// Bounds of gathered panels: depth, and elements.
  static constexpr std::size_t depth = 256;
  static constexpr std::size_t room = (std::size_t{64} << 20) / sizeof(T);
  static constexpr std::size_t least_depth = 128;

 public:
  product_member(const A& a, const B& b, const T& alpha, Product& product, const site& where)
      : a_(a), b_(b), alpha_(alpha), product_(product), where_(where) {}

  void multiply(const brick& of, const T& beta, const box_span<T, 2>& sums) {
    if (sums.empty()) return;
    const std::vector<interval> panels = panels_of(of);
    if (panels.empty()) return scale(sums, beta);
    const global::quiet_on_failure reads_end;
    walk(of, panels, beta, sums);
  }

 private:
  struct panel {
    panel_side<A, 1> of_a;
    panel_side<B, 0> of_b;
  };

  void walk(const brick& of, const std::vector<interval>& panels, const T& beta,
            const box_span<T, 2>& sums) {
    load(of, panels.front(), now_);
    quiet();
    for (std::size_t i = 0; i < panels.size(); ++i) {
      if (i + 1 < panels.size()) load(of, panels[i + 1], next_);
      now_.of_a.finish();
      now_.of_b.finish();
      multiply_panel(i == 0 ? beta : T(1), sums);
      quiet();
      std::swap(now_, next_);
    }
  }
  void load(const brick& of, const interval& positions, panel& into) const {
    const index_set inner = of.inner.at(positions);
    into.of_a.load(a_, of.rows, inner, where_);
    into.of_b.load(b_, inner, of.columns, where_);
  }
  void multiply_panel(const T& beta, const box_span<T, 2>& sums) {
    for (const auto& left : now_.of_a.parts()) {
      for (const auto& right : now_.of_b.parts()) {
        const layout::box<2> part{.first = {left.first, right.first},
                                  .extents = {left.elements.extent(0), right.elements.extent(1)}};
        multiply_boxes(product_, alpha_, left.elements, right.elements, beta, sums.sub(part));
      }
    }
  }

  [[nodiscard]] std::vector<interval> panels_of(const brick& of) const {
    const std::size_t inner = of.inner.size();
    if (inner == 0) return {};
    if (is_one_panel(of)) return {{0, inner}};
    std::vector<std::size_t> cuts = a_.cuts(1);
    const std::vector<std::size_t> others = b_.cuts(0);
    cuts.insert(cuts.end(), others.begin(), others.end());
    std::vector<std::size_t> places = of.inner.positions_of_cuts(std::move(cuts));
    if (inner < least_depth * (places.size() - 1)) places = {0, inner};
    const std::size_t step =
        std::clamp(room / (of.rows.size() + of.columns.size()), std::size_t{16}, depth);
    std::vector<interval> panels;
    for (std::size_t i = 1; i < places.size(); ++i) {
      add_panels({places[i - 1], places[i]}, of, step, panels);
    }
    begin_with_own(of, panels);
    return panels;
  }
  void add_panels(const interval& all, const brick& of, std::size_t step,
                  std::vector<interval>& panels) const {
    const std::size_t each = lie_here(of, of.inner.at(all)) ? all.size() : step;
    for (std::size_t first = all.first; first < all.end; first += each) {
      panels.push_back({first, std::min(all.end, first + each)});
    }
  }
  void begin_with_own(const brick& of, std::vector<interval>& panels) const {
    std::size_t own = 0;
    bool is_found = false;
    a_.each_own_piece([&](const layout::box<2>& where, const auto&) {
      if (!std::exchange(is_found, true)) own = where.first[1];
    });
    const auto first = std::ranges::find_if(panels, [&](const interval& each) {
      return of.inner.at({each.first, each.first + 1}).intervals().front().first >= own;
    });
    std::ranges::rotate(panels, first);
  }

  [[nodiscard]] bool lie_here(const brick& of, const index_set& inner) const {
    return panel_side<A, 1>::look_at(a_, of.rows, inner).takes_no_memory() &&
           panel_side<B, 0>::look_at(b_, inner, of.columns).takes_no_memory();
  }
  /// True if all is in place, or on this node and cheap to gather.
  [[nodiscard]] bool is_one_panel(const brick& of) const {
    const auto left = panel_side<A, 1>::look_at(a_, of.rows, of.inner);
    if (!left.takes_no_memory() && !is_soon_gathered(left.is_mapped, of.rows, of)) return false;
    const auto right = panel_side<B, 0>::look_at(b_, of.inner, of.columns);
    return right.takes_no_memory() || is_soon_gathered(right.is_mapped, of.columns, of);
  }
  [[nodiscard]] static bool is_soon_gathered(bool is_mapped, const index_set& outer,
                                             const brick& of) noexcept {
    constexpr std::size_t small = (std::size_t{8} << 20) / sizeof(T);
    constexpr std::size_t often = 1024;
    const std::size_t uses = &outer == &of.rows ? of.columns.size() : of.rows.size();
    return is_mapped && outer.size() * of.inner.size() <= small && uses >= often;
  }

  const A& a_;
  const B& b_;
  const T& alpha_;
  Product& product_;
  const site& where_;
  panel now_;
  panel next_;
};

}  // namespace acre::algorithm
