// SPDX-License-Identifier: BSD-3-Clause
// A tree searched by all ranks: bags of its nodes are objects, and work is stolen by moving them.
//
// A bag expands some nodes, and then calls itself for more, so that in between it may be split. A
// rank whose last bag is empty asks its neighbours, the ranks whose numbers differ from its own in
// one bit, and is still: whoever of them has nodes to spare splits a bag, and the new one migrates
// (lifelines: Saraswat, Kambadur, Kodali, Grove, Krishnamoorthy, PPoPP 2011). Nobody asks twice for
// the same, so the search is over when nothing is under way any more.
#pragma once

#include <acre/objects.hpp>

#include <apps/uts/tree.hpp>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

namespace acre::uts {

/// Nodes that somebody must expand.
class bag {
 public:
  bag() = default;
  explicit bag(std::vector<node> open) : open_(std::move(open)) {}

  /// Expands some nodes, and goes on in another call.
  /// @param self  keeps the bag alive until it is empty
  void work(const object_ref<bag>& self);

  friend auto acre_fields(bag& b) { return std::tie(b.open_); }
  friend void acre_after_move(bag& arrived);

 private:
  void expand_some();
  void give_half_to(rank_t thief);

  std::vector<node> open_;
};

struct search_result {
  census found;
  std::uint64_t stolen = 0;  ///< bags
};

/// All nodes of a tree. Collective over the job; one search at a time.
/// @param nodes_a_call  that a bag expands before others may have their turn
[[nodiscard]] search_result search(const tree& whole, std::size_t nodes_a_call = 2048);

}  // namespace acre::uts
