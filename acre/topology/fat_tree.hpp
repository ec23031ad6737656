// SPDX-License-Identifier: BSD-3-Clause
// Extended generalised fat trees: XGFT(h; m1 … mh; w1 … wh; p1 … ph).
//
// A switch of level l has m_l children and w_(l+1) parents over p_(l+1) cables each (Öhring et al.:
// IPPS 1995). Routing is D-mod-k (Zahavi 2010): up by the parents that the target's number selects,
// then down.
#pragma once

#include <acre/topology/network.hpp>

namespace acre::topology {

class fat_tree final : public network {
 public:
  struct level {
    std::uint32_t children = 1;
    std::uint32_t parents = 1;           ///< per switch (node) below
    std::uint32_t cables = 1;            ///< to each parent
    double bandwidth = usual_bandwidth;  ///< per cable and direction
  };

  /// @param levels lowest first
  /// @throws acre::error if a level has a zero, or for over 2^26 nodes or links
  explicit fat_tree(const std::vector<level>& levels);

  [[nodiscard]] unsigned distance(node_t from, node_t to) const override;
  void route(node_t from, node_t to, std::vector<link_t>& crossed) const override;
  using network::bandwidth;
  [[nodiscard]] double bandwidth(link_t link) const override;
  [[nodiscard]] std::string link_name(link_t link) const override;
  [[nodiscard]] std::string name() const override;
  [[nodiscard]] unsigned levels() const override;
  [[nodiscard]] std::uint32_t group(node_t node, unsigned depth) const override;

 private:
  struct storey {
    level shape;
    std::uint32_t nodes_below = 1;   ///< per child sub-tree
    std::uint32_t copies_below = 1;  ///< top switches per child sub-tree
    std::uint32_t first_link = 0;    ///< upward; the downward links follow
    std::uint32_t links_up = 0;
  };
  [[nodiscard]] std::size_t climb(node_t a, node_t b) const noexcept;
  [[nodiscard]] const storey& storey_of(link_t link) const;
  [[nodiscard]] static std::size_t count_nodes(const std::vector<level>& levels);
  [[nodiscard]] static std::size_t count_links(const std::vector<level>& levels);

  std::vector<storey> storeys_;
};

}  // namespace acre::topology
