// SPDX-License-Identifier: BSD-3-Clause
// Stages of a node: the exchange with neighbours, parent and children, and the step.
#include <acre/base/error.hpp>

#include <apps/amr/advection.hpp>
#include <apps/amr/gas.hpp>
#include <apps/amr/quantities.hpp>
#include <apps/amr/tree_node.hpp>

#include <algorithm>
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

constexpr auto restricted_plane = [](std::span<const double> one) {
  plane whole;
  std::ranges::copy(one, whole.begin());
  return restricted(whole);
};

}  // namespace

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

/// The root determines the time step at the first stage only.
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

}  // namespace acre::amr
