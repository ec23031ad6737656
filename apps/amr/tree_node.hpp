// SPDX-License-Identifier: BSD-3-Clause
// A node of the octree: a leaf with cells, or an inner node. Calls return the resulting messages. A
// stage starts when its messages are complete, so results are bitwise independent of message order.
//
// Stage of advection: a leaf sends two ghost layers to all neighbours, waits for theirs and for
// fluxes of finer ones, takes an Euler step, and sends fluxes to coarser ones. Neighbours differ by
// at most one stage.
//
// Stage of a gas: a leaf also sends its masses and fastest signal up the tree, and awaits the time
// step and the masses outside of it (mass_gather.hpp).
//
// Regrid: each leaf wishes its own level, one more or one less. Adjacent leaves may differ by one
// level only, and siblings merge only together. So a leaf raises its wish to a neighbour's minus
// one, and to its own level if siblings stay. Wishes only grow: message order is irrelevant.
//
// Quiescence separates begin_regrid(), finish_regrid() and start(stage) of all nodes. Messages may
// precede a node's own call.
#pragma once

#include <apps/amr/mass_gather.hpp>
#include <apps/amr/message.hpp>
#include <apps/amr/problem.hpp>
#include <apps/amr/sweep.hpp>
#include <apps/amr/totals.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

namespace acre::amr {

class tree_node {
 public:
  struct change {
    std::vector<tree_node> children;
    letters out;
    bool is_gone = false;
  };

  tree_node() = default;
  tree_node(const problem& given, const location& where);

  /// Advances to `last_stage`, counted from the start of the run. @return messages
  [[nodiscard]] letters start(std::uint32_t last_stage);
  [[nodiscard]] letters begin_regrid();
  [[nodiscard]] change finish_regrid();
  /// @throws acre::error if the message is invalid
  [[nodiscard]] letters take(message what);

  /// Sets the initial cells.
  void fill();

  [[nodiscard]] const location& where() const noexcept { return where_; }
  [[nodiscard]] bool is_leaf() const noexcept { return !cells_.empty(); }
  [[nodiscard]] const values& cells() const noexcept { return cells_; }
  [[nodiscard]] relation beyond(face f) const noexcept { return beyond_[number_of(f)]; }
  [[nodiscard]] std::uint32_t stage() const noexcept { return stage_; }
  [[nodiscard]] double time() const noexcept { return time_; }  ///< of a gas
  /// Targets of a leaf's messages: one, or four finer ones.
  [[nodiscard]] std::vector<location> neighbours(face f) const;

  /// Targets of messages during steps.
  [[nodiscard]] std::vector<location> partners() const;

  [[nodiscard]] totals measure(double time) const;
  /// Cost of a stage: 0 for inner nodes, 1 for a leaf without finer neighbours.
  [[nodiscard]] double cost() const noexcept;

  friend auto acre_fields(tree_node& n) {
    return std::tie(n.given_, n.where_, n.cells_, n.before_, n.beyond_, n.stage_, n.last_stage_,
                    n.arrived_, n.wanted_, n.heard_, n.children_stay_, n.is_finishing_, n.remains_,
                    n.time_, n.step_, n.has_handed_, n.outside_, n.gather_);
  }

 private:
  struct inbox {
    surroundings around;
    std::uint32_t slabs = 0;

    friend auto acre_fields(inbox& i) {
      return std::tie(i.around.ghosts, i.around.fluxes, i.slabs);
    }
  };

  letters accept(slab& what);
  letters accept(const wish& what);
  letters accept(const children_stay& what);
  letters accept(const stay& what);
  letters accept(remains& what);
  letters accept(masses& what);
  letters accept(handed& what);

  [[nodiscard]] std::uint32_t slabs_of_stage() const noexcept;
  [[nodiscard]] inbox& inbox_of(std::uint32_t stage) noexcept { return arrived_[stage % 2]; }
  [[nodiscard]] const inbox& inbox_of(std::uint32_t stage) const noexcept {
    return arrived_[stage % 2];
  }
  [[nodiscard]] double cell_side() const noexcept { return where_.side() / cells_along; }
  /// The quantity that decides on levels.
  [[nodiscard]] std::span<const double> density() const noexcept {
    return std::span(cells_).first(cells_of_leaf);
  }
  [[nodiscard]] values first_cells() const;
  [[nodiscard]] values exact_density_of_cells(double time) const;
  [[nodiscard]] slab slab_for(face f, slab::contents what) const;
  void send_stage(letters& out);
  void send_ghosts(letters& out) const;
  void send_masses(letters& out);
  [[nodiscard]] handed handed_by_root(std::uint32_t stage, double fastest);
  void take_time(const handed& what);
  void send_fluxes(const border_fluxes& flowed, letters& out) const;
  void go_on(letters& out);
  [[nodiscard]] bool is_stage_complete() const noexcept;
  border_fluxes step(values& after) const;
  void release_stage(letters& out);

  [[nodiscard]] std::uint32_t least_wish(std::uint32_t level) const noexcept;
  [[nodiscard]] std::uint32_t own_wish() const;
  void raise(std::uint32_t level, letters& out);
  void become(values cells);
  void become_leaf_when_all_came();
  [[nodiscard]] relation seen_from(std::uint32_t level, face f, unsigned part) const noexcept;
  [[nodiscard]] change split();
  [[nodiscard]] change go();

  problem given_;
  location where_;
  values cells_;
  values before_;
  std::array<relation, 6> beyond_ = {};
  std::uint32_t stage_ = 0;
  std::uint32_t last_stage_ = 0;
  std::array<inbox, 2> arrived_;  ///< by stage parity: present and next

  std::uint32_t wanted_ = 0;
  std::array<std::array<std::uint32_t, parts_of_face>, 6> heard_ = {};
  bool children_stay_ = false;
  bool is_finishing_ = false;
  std::vector<remains> remains_;

  double time_ = 0;
  double step_ = 0;
  bool has_handed_ = false;
  sources outside_;
  mass_gather gather_;
};

[[nodiscard]] std::vector<tree_node> first_nodes(const problem& given);

}  // namespace acre::amr
