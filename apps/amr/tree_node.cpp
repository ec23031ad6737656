// SPDX-License-Identifier: BSD-3-Clause
#include <apps/amr/tree_node.hpp>

#include <acre/base/error.hpp>

#include <apps/amr/advection.hpp>
#include <apps/amr/gas.hpp>
#include <apps/amr/quantities.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace acre::amr {
namespace {

[[noreturn]] void refuse(const location& where, const std::string& problem) {
  throw error("amr::tree_node",
              "the node " + std::to_string(where.key()) + " at level " +
                  std::to_string(where.level) + " " + problem,
              "start a stage or a change of the mesh after the one before has ended on all ranks");
}

relation compared(std::uint32_t level, std::uint32_t other) noexcept {
  if (other == level) return relation::same;
  return other > level ? relation::finer : relation::coarser;
}

constexpr auto restricted_plane = [](std::span<const double> one) {
  plane whole;
  std::ranges::copy(one, whole.begin());
  return restricted(whole);
};
constexpr auto restricted_cells = [](std::span<const double> one) { return restricted(one); };

}  // namespace

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

relation tree_node::seen_from(std::uint32_t level, face f, unsigned part) const noexcept {
  return compared(level, heard_[number_of(f)][part]);
}

void tree_node::become(values cells) {
  cells_ = std::move(cells);
  before_.clear();
  arrived_ = {};
  wanted_ = least_wish(where_.level);
  for (const face f : faces) {
    const std::uint32_t level = beyond(f) == relation::same    ? where_.level
                                : beyond(f) == relation::finer ? where_.level + 1
                                                               : where_.level - 1;
    heard_[number_of(f)].fill(least_wish(level));
  }
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

letters tree_node::start(std::uint32_t last_stage) {
  letters out;
  last_stage_ = last_stage;
  if (!is_leaf()) {
    stage_ = last_stage;
  } else if (stage_ < last_stage_) {
    send_stage(out);
    go_on(out);
  }
  return out;
}

void tree_node::send_stage(letters& out) {
  send_ghosts(out);
  if (given_.is_gas()) send_masses(out);
}

void tree_node::send_masses(letters& out) {
  masses mine{.child = static_cast<std::uint8_t>(where_.number()),
              .stage = stage_,
              .fastest = fastest_signal(given_, cell_side(), cells_),
              .below = {}};
  if (where_.level == 0) return take_time(handed_by_root(stage_, mine.fastest));
  if (given_.gravity != 0) mine.below = sources_of_leaf(density(), where_);
  out.push_back({where_.parent(), std::move(mine)});
}

/// The root takes the time step at the first stage, and repeats it at the second.
handed tree_node::handed_by_root(std::uint32_t stage, double fastest) {
  if (stage % stages_of_step == 0) step_ = given_.courant / fastest;
  return {.stage = stage, .step = step_, .outside = {}};
}

void tree_node::take_time(const handed& what) {
  step_ = what.step;
  has_handed_ = is_leaf();
  if (what.stage % stages_of_step == stages_of_step - 1) time_ += step_;
}

letters tree_node::accept(masses& what) {
  if (is_leaf() || what.child >= children_of_node) refuse(where_, "received masses");
  const std::uint32_t stage = what.stage;
  if (!gather_.add(what, where_)) return {};
  letters out;
  if (where_.level > 0) {
    out.push_back({where_.parent(), gather_.sum(where_)});
    return out;
  }
  handed all = handed_by_root(stage, gather_.fastest());
  return accept(all);
}

letters tree_node::accept(handed& what) {
  if (is_leaf() && (has_handed_ || what.stage != stage_)) refuse(where_, "received masses twice");
  take_time(what);
  if (!is_leaf()) return gather_.hand_down(what, where_);
  outside_ = std::move(what.outside);
  letters out;
  go_on(out);
  return out;
}

slab tree_node::slab_for(face f, slab::contents what) const {
  const bool is_part = beyond(f) == relation::coarser;
  return {.what = what,
          .at = opposite(f),
          .part = static_cast<std::uint8_t>(is_part ? part_of(where_.number(), f) : 0),
          .stage = stage_,
          .content = {}};
}

void tree_node::send_ghosts(letters& out) const {
  for (const face f : faces) {
    const std::vector<location> to = neighbours(f);
    for (unsigned part = 0; part < to.size(); ++part) {
      slab what = slab_for(f, slab::contents::ghosts);
      const auto of_cells = [&](auto&& of_one) {
        return of_each_quantity(cells_, cells_of_leaf, of_one);
      };
      switch (beyond(f)) {
        case relation::same:
          what.content = of_cells([&](auto one) { return border(one, f); });
          break;
        case relation::finer:
          what.content = of_cells([&](auto one) { return prolonged_border(one, f, part); });
          break;
        case relation::coarser:
          what.content = of_cells([&](auto one) { return restricted_border(one, f); });
          break;
      }
      out.push_back({to[part], std::move(what)});
    }
  }
}

void tree_node::send_fluxes(const border_fluxes& flowed, letters& out) const {
  for (const face f : faces) {
    if (beyond(f) != relation::coarser) continue;
    slab what = slab_for(f, slab::contents::fluxes);
    what.content = of_each_quantity(flowed[number_of(f)], cells_of_plane, restricted_plane);
    out.push_back({where_.across(f).parent(), std::move(what)});
  }
}

/// Finer neighbours send ghosts and fluxes in four parts each, others ghosts only.
std::uint32_t tree_node::slabs_of_stage() const noexcept {
  std::uint32_t all = 0;
  for (const face f : faces) all += beyond(f) == relation::finer ? 2 * parts_of_face : 1;
  return all;
}

letters tree_node::accept(slab& what) {
  if (!is_leaf() || (what.stage != stage_ && what.stage != stage_ + 1)) {
    refuse(where_, "received invalid data for stage " + std::to_string(what.stage));
  }
  inbox& to = inbox_of(what.stage);
  const unsigned f = number_of(what.at);
  const bool are_ghosts = what.what == slab::contents::ghosts;
  values& place = are_ghosts ? to.around.ghosts[f] : to.around.fluxes[f];
  if (beyond(what.at) == relation::finer) {
    const std::size_t quantities = given_.quantities();
    place.resize(quantities * (are_ghosts ? ghosts_of_face : cells_of_plane));
    insert_each_quantity(what.content, place, quantities,
                         [&](auto quarter, auto whole) { insert_part(quarter, what.part, whole); });
  } else {
    place = std::move(what.content);
  }
  ++to.slabs;

  letters out;
  go_on(out);
  return out;
}

bool tree_node::is_stage_complete() const noexcept {
  return inbox_of(stage_).slabs == slabs_of_stage() && (has_handed_ || !given_.is_gas());
}

void tree_node::go_on(letters& out) {
  while (stage_ < last_stage_ && is_stage_complete()) release_stage(out);
}

border_fluxes tree_node::step(values& after) const {
  const surroundings& around = inbox_of(stage_).around;
  if (!given_.is_gas()) return euler_step(given_, cell_side(), cells_, around, after);
  values pull;
  if (given_.gravity != 0) {
    pull = pull_of(outside_, density(), where_);
    for (double& each : pull) each *= given_.gravity;
  }
  return gas_step(given_, step_, cell_side(), cells_, around, pull, after);
}

void tree_node::release_stage(letters& out) {
  values after(cells_.size());
  const border_fluxes flowed = step(after);
  send_fluxes(flowed, out);
  if (stage_ % stages_of_step == 0) {
    before_ = std::exchange(cells_, std::move(after));
  } else {
    for (std::size_t i = 0; i < cells_.size(); ++i) cells_[i] = 0.5 * (before_[i] + after[i]);
    before_.clear();
  }
  inbox_of(stage_) = {};
  outside_ = {};
  has_handed_ = false;
  ++stage_;
  if (stage_ < last_stage_) send_stage(out);
}

std::uint32_t tree_node::least_wish(std::uint32_t level) const noexcept {
  return std::max(level, given_.coarsest + 1) - 1;
}

std::uint32_t tree_node::own_wish() const {
  const double jump = largest_jump(density());
  if (jump > given_.refine_above) return std::min(where_.level + 1, given_.finest);
  return jump < given_.coarsen_below ? least_wish(where_.level) : where_.level;
}

letters tree_node::begin_regrid() {
  letters out;
  if (is_leaf()) {
    raise(own_wish(), out);
  } else if (where_.level > 0) {
    out.push_back({where_.parent(), children_stay{}});
  }
  return out;
}

void tree_node::raise(std::uint32_t level, letters& out) {
  if (level <= wanted_) return;
  const bool went = wanted_ < where_.level;
  wanted_ = level;
  if (went) out.push_back({where_.parent(), children_stay{}});
  for (const face f : faces) {
    const std::uint8_t part = slab_for(f, slab::contents::ghosts).part;
    for (const location& to : neighbours(f)) {
      out.push_back({to, wish{.at = opposite(f), .part = part, .level = level}});
    }
  }
}

letters tree_node::accept(const wish& what) {
  letters out;
  std::uint32_t& known = heard_[number_of(what.at)][what.part];
  known = std::max(known, what.level);
  raise(std::max(what.level, 1U) - 1, out);
  return out;
}

letters tree_node::accept(const children_stay&) {
  letters out;
  if (std::exchange(children_stay_, true)) return out;
  for (unsigned child = 0; child < children_of_node; ++child) {
    out.push_back({where_.child(child), stay{}});
  }
  return out;
}

letters tree_node::accept(const stay&) {
  letters out;
  if (is_leaf()) raise(where_.level, out);
  return out;
}

tree_node::change tree_node::finish_regrid() {
  if (!is_leaf()) {
    is_finishing_ = !std::exchange(children_stay_, where_.level < given_.coarsest);
    become_leaf_when_all_came();
    return {};
  }
  if (wanted_ > where_.level) return split();
  if (wanted_ < where_.level) return go();
  for (const face f : faces) beyond_[number_of(f)] = seen_from(where_.level, f, 0);
  become(std::move(cells_));
  return {};
}

tree_node::change tree_node::split() {
  change found;
  for (unsigned number = 0; number < children_of_node; ++number) {
    tree_node child;
    child.given_ = given_;
    child.where_ = where_.child(number);
    child.stage_ = child.last_stage_ = stage_;
    child.time_ = time_;
    for (const face f : faces) {
      if (!touches(number, f)) continue;
      const unsigned part = beyond(f) == relation::finer ? part_of(number, f) : 0;
      child.beyond_[number_of(f)] = seen_from(child.where_.level, f, part);
    }
    child.become(
        of_each_quantity(cells_, cells_of_leaf, [&](auto one) { return prolonged(one, number); }));
    found.children.push_back(std::move(child));
  }
  cells_.clear();
  beyond_ = {};
  return found;
}

tree_node::change tree_node::go() {
  const unsigned number = where_.number();
  remains left{.child = static_cast<std::uint8_t>(number),
               .stage = stage_,
               .beyond = {},
               .means = of_each_quantity(cells_, cells_of_leaf, restricted_cells)};
  for (unsigned axis = 0; axis < axes; ++axis) {
    left.beyond[axis] = seen_from(wanted_, face_of(axis, lies_high(number, axis)), 0);
  }
  change found;
  found.out.push_back({where_.parent(), std::move(left)});
  found.is_gone = true;
  return found;
}

letters tree_node::accept(remains& what) {
  remains_.push_back(std::move(what));
  become_leaf_when_all_came();
  return {};
}

void tree_node::become_leaf_when_all_came() {
  if (!is_finishing_ || remains_.size() < children_of_node) return;
  const std::size_t quantities = given_.quantities();
  values whole(quantities * cells_of_leaf);
  for (const remains& each : remains_) {
    insert_each_quantity(each.means, whole, quantities,
                         [&](auto eighth, auto cells) { insert_child(eighth, each.child, cells); });
    for (unsigned axis = 0; axis < axes; ++axis) {
      beyond_[number_of(face_of(axis, lies_high(each.child, axis)))] = each.beyond[axis];
    }
  }
  stage_ = last_stage_ = remains_.front().stage;
  remains_.clear();
  is_finishing_ = false;
  become(std::move(whole));
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
