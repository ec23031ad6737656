// SPDX-License-Identifier: BSD-3-Clause
// Changes of a node's level: wishes, splits and merges.
#include <apps/amr/quantities.hpp>
#include <apps/amr/tree_node.hpp>

#include <algorithm>
#include <utility>

namespace acre::amr {
namespace {

relation compared(std::uint32_t level, std::uint32_t other) noexcept {
  if (other == level) return relation::same;
  return other > level ? relation::finer : relation::coarser;
}

constexpr auto restricted_cells = [](std::span<const double> one) { return restricted(one); };

}  // namespace

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

}  // namespace acre::amr
