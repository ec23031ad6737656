// SPDX-License-Identifier: BSD-3-Clause
#include <apps/amr/tree_node.hpp>

#include <apps/amr/advection.hpp>
#include <apps/amr/gas.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace acre::amr {

tree_node::tree_node(const problem& given, const location& where)
    : given_(given), where_(where), children_stay_(where.level < given.coarsest) {
  if (where.level == given.coarsest) become(first_cells());
}

std::vector<tree_node> first_nodes(const problem& given) {
  std::vector<tree_node> nodes{tree_node(given, {})};
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].is_leaf()) continue;
    const location parent = nodes[i].where();
    for (unsigned child = 0; child < children_of_node; ++child) {
      nodes.emplace_back(given, parent.child(child));
    }
  }
  return nodes;
}

std::vector<location> tree_node::neighbours(face f) const {
  const location across = where_.across(f);
  if (beyond(f) == relation::same) return {across};
  if (beyond(f) == relation::coarser) return {across.parent()};
  std::vector<location> found;
  found.reserve(parts_of_face);
  for (unsigned part = 0; part < parts_of_face; ++part) {
    found.push_back(across.child(child_at(opposite(f), part)));
  }
  return found;
}

values tree_node::first_cells() const {
  return given_.is_gas() ? gas_cells(given_, where_) : exact_cells(given_, where_, 0);
}

void tree_node::fill() {
  if (is_leaf()) cells_ = first_cells();
}

std::vector<location> tree_node::partners() const {
  std::vector<location> found;
  if (is_leaf()) {
    for (const face f : faces) std::ranges::copy(neighbours(f), std::back_inserter(found));
  }
  if (!given_.is_gas()) return found;
  if (where_.level > 0) found.push_back(where_.parent());
  for (unsigned child = 0; child < children_of_node && !is_leaf(); ++child) {
    found.push_back(where_.child(child));
  }
  return found;
}

letters tree_node::take(message what) {
  return std::visit([this](auto& which) { return accept(which); }, what);
}

totals tree_node::measure(double time) const {
  if (!is_leaf()) return {};
  const double now = given_.is_gas() ? time_ : time;
  const values exact = exact_density_of_cells(now);
  const double mass = compensated_sum(density());
  const double energy =
      given_.is_gas() ? compensated_sum(std::span(cells_).last(cells_of_leaf)) : 0;
  double error = 0;
  double worst = 0;
  for (std::size_t i = 0; i < cells_of_leaf; ++i) {
    const double apart = exact.empty() ? 0 : std::abs(cells_[i] - exact[i]);
    error += apart;
    worst = std::max(worst, apart);
  }
  const double volume = cell_side() * cell_side() * cell_side();
  return {
      1,  exact_sum(mass * volume), exact_sum(energy * volume), exact_sum(error * volume), worst,
      now};
}

values tree_node::exact_density_of_cells(double time) const {
  if (!given_.is_gas()) return exact_cells(given_, where_, time);
  return has_exact_density(given_) ? exact_density(given_, where_, time) : values();
}

double tree_node::cost() const noexcept {
  constexpr double of_finer = 0.45;  // measured: ghosts for four neighbours
  if (!is_leaf()) return 0;
  return 1 + of_finer * static_cast<double>(std::ranges::count(beyond_, relation::finer));
}

}  // namespace acre::amr
