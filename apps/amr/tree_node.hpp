// SPDX-License-Identifier: BSD-3-Clause
// A node of the octree: a leaf with cells, or what its children hang from.
//
// It knows the world by locations and messages only: each call takes what has come and returns the
// letters that follow from it. So it may live, and move, anywhere; and as it goes on only when all
// has come that a stage needs, and what it then does depends on nothing else, the result is the
// same to the last bit in whatever order messages come.
//
// Time. `start` lets a leaf go on until a stage. In each it sends two layers of ghosts to all
// neighbours, waits for theirs, and where they are finer for what flows over the common face,
// takes an Euler step, and tells coarser neighbours what flowed. A neighbour may be ahead by a
// stage, but not by two.
//
// Change of the mesh. Each leaf wants a level: its own, one more or one less. Leaves side by side
// may differ by one level, and siblings go together or not at all; so a wish is raised to a
// neighbour's less one, and to the own level when siblings stay. Wishes only grow, so when nothing
// is under way any more all are the same whatever came first. From them each node knows what it
// becomes and what will lie beyond its faces.
//
// A run repeats three calls of all nodes. Each ends when no letter is under way any more, and
// before that nobody may be called for the next:
//     begin_regrid()
//     finish_regrid()
//     start(stage)
// Within one of them, a letter may come to a node before its own call.
#pragma once

#include <apps/amr/advection.hpp>
#include <apps/amr/message.hpp>
#include <apps/amr/totals.hpp>

#include <array>
#include <cstdint>
#include <tuple>
#include <vector>

namespace acre::amr {

class tree_node {
 public:
  /// What the end of a change asks of who keeps the nodes.
  struct change {
    std::vector<tree_node> children;  ///< to be put into the world: eight, or none
    letters out;
    bool is_gone = false;  ///< it is to be forgotten once the letters are sent
  };

  tree_node() = default;
  /// A node of the mesh that a run begins with, where all leaves are at the coarsest level.
  tree_node(const problem& given, const location& where);

  /// To the last stage, in stages since the run began. @return what to send
  [[nodiscard]] letters start(std::uint32_t last_stage);
  [[nodiscard]] letters begin_regrid();
  [[nodiscard]] change finish_regrid();
  /// @throws acre::error when the message cannot be for this node
  [[nodiscard]] letters take(message what);

  /// Puts the exact solution in a leaf's cells.
  void fill(double time);

  [[nodiscard]] const location& where() const noexcept { return where_; }
  [[nodiscard]] bool is_leaf() const noexcept { return !cells_.empty(); }
  [[nodiscard]] const values& cells() const noexcept { return cells_; }
  [[nodiscard]] relation beyond(face f) const noexcept { return beyond_[number_of(f)]; }
  [[nodiscard]] std::uint32_t stage() const noexcept { return stage_; }
  /// Where a leaf's messages of a stage go: one, or four where what is beyond is finer.
  [[nodiscard]] std::vector<location> neighbours(face f) const;

  /// Of a leaf against the exact solution; of another node, nothing.
  [[nodiscard]] totals measure(double time) const;
  /// What a stage takes, where a leaf among its like takes 1. A node without cells takes nothing.
  [[nodiscard]] double cost() const noexcept;

  friend auto acre_fields(tree_node& n) {
    return std::tie(n.given_, n.where_, n.cells_, n.before_, n.beyond_, n.stage_, n.last_stage_,
                    n.arrived_, n.wanted_, n.heard_, n.children_stay_, n.is_finishing_, n.remains_);
  }

 private:
  /// What has come for a stage.
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

  [[nodiscard]] std::uint32_t slabs_of_stage() const noexcept;
  [[nodiscard]] inbox& inbox_of(std::uint32_t stage) noexcept { return arrived_[stage % 2]; }
  [[nodiscard]] slab slab_for(face f, slab::contents what) const;
  void send_ghosts(letters& out) const;
  void send_fluxes(const border_fluxes& flowed, letters& out) const;
  void go_on(letters& out);
  void take_stage(letters& out);

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
  values cells_;   ///< of a leaf
  values before_;  ///< the first stage of the step
  std::array<relation, 6> beyond_ = {};
  std::uint32_t stage_ = 0;
  std::uint32_t last_stage_ = 0;
  std::array<inbox, 2> arrived_;  ///< for this stage and the next one, by its last bit

  std::uint32_t wanted_ = 0;
  std::array<std::array<std::uint32_t, parts_of_face>, 6> heard_ = {};  ///< what neighbours want
  bool children_stay_ = false;
  bool is_finishing_ = false;  ///< its children go
  std::vector<remains> remains_;
};

/// All nodes of the mesh that a run begins with.
[[nodiscard]] std::vector<tree_node> first_nodes(const problem& given);

}  // namespace acre::amr
