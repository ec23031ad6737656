// SPDX-License-Identifier: BSD-3-Clause
// Parallel tree search: bags of nodes are objects; work is stolen by migration.
//
// A bag expands some nodes, then calls itself again and may be split in between. An idle rank asks
// the ranks that differ in one bit, which send half a bag once they have spare nodes (lifelines:
// Saraswat, Kambadur, Kodali, Grove, Krishnamoorthy, PPoPP 2011). Ends at quiescence.
#pragma once

#include <acre/objects.hpp>

#include <apps/uts/tree.hpp>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

namespace acre::uts {

class bag {
 public:
  bag() = default;
  explicit bag(std::vector<node> open) : open_(std::move(open)) {}

  /// Expands some nodes, continues in another call.
  /// @param self  keeps the bag alive
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
  std::uint64_t stolen = 0;
};

/// Counts all nodes. Collective; one search at a time.
/// @param nodes_a_call  expanded per call
[[nodiscard]] search_result search(const tree& whole, std::size_t nodes_a_call = 2048);

}  // namespace acre::uts
