// SPDX-License-Identifier: BSD-3-Clause
// Extended generalised fat trees: XGFT(h; m1 … mh; w1 … wh; p1 … ph).
//
// A switch of level l has m_l children; it, and a node at level 0, has w_(l+1)
// parents, each over p_(l+1) cables (Öhring, Ibel, Das, Kumar: On generalized fat
// trees, IPPS 1995; parallel cables: Zahavi, D-Mod-K routing providing non-blocking
// traffic for shift permutations on real life fat trees, 2010). A message climbs
// until an ancestor of its target is reached, at each level to the parent that
// the target's number selects (D-mod-k), and descends the only way there is.
#pragma once

#include <acre/topology/network.hpp>

namespace acre::topology {

class fat_tree final : public network {
 public:
  /// One level, seen from below.
  struct level {
    std::uint32_t children = 1;          ///< of each switch of this level
    std::uint32_t parents = 1;           ///< of each switch (or node) below
    std::uint32_t cables = 1;            ///< to each of these parents
    double bandwidth = usual_bandwidth;  ///< of each cable, each way
  };

  /// @param levels the lowest first
  /// @throws acre::error when a level has a zero
  explicit fat_tree(const std::vector<level>& levels);

  [[nodiscard]] unsigned distance(node_t from, node_t to) const override;
  void route(node_t from, node_t to, std::vector<link_t>& crossed) const override;
  using network::bandwidth;
  [[nodiscard]] double bandwidth(link_t link) const override;
  [[nodiscard]] std::string link_name(link_t link) const override;
  [[nodiscard]] std::string name() const override;
  /// The sub-trees: one level fewer than the tree has, for its roots hold all.
  [[nodiscard]] unsigned levels() const override;
  [[nodiscard]] std::uint32_t group(node_t node, unsigned depth) const override;

 private:
  /// The cables between the switches of one level and those above.
  struct storey {
    level shape;
    std::uint32_t nodes_below = 1;   ///< of one lower sub-tree
    std::uint32_t copies_below = 1;  ///< switches on top of one lower sub-tree
    std::uint32_t first_link = 0;    ///< of the way up; the ways down follow
    std::uint32_t links_up = 0;
  };
  /// Storeys below the lowest common ancestors of two nodes.
  [[nodiscard]] std::size_t climb(node_t a, node_t b) const noexcept;
  [[nodiscard]] const storey& storey_of(link_t link) const;
  [[nodiscard]] static std::size_t count_nodes(const std::vector<level>& levels);
  [[nodiscard]] static std::size_t count_links(const std::vector<level>& levels);

  std::vector<storey> storeys_;
};

}  // namespace acre::topology
