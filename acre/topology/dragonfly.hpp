// SPDX-License-Identifier: BSD-3-Clause
// Dragonflies with groups of two dimensions, as Cray's Aries has them: a group
// is a grid of blades in chassis, each blade a router of some nodes (Kim, Dally,
// Scott, Abts: Technology-driven, highly-scalable dragonfly topology, ISCA 2008;
// Alverson, Froese, Kaplan, Roweth: Cray XC series network, 2012).
//
// Links join the blades of a chassis with each other, the blades of the same
// place in all chassis of a group with each other, and each two groups. The link
// from group g to group h leaves g at the router whose number is h modulo the
// routers of a group. A message to another group goes to that router, over, and
// from where it arrives to its target (minimal routing), or does the same to a third
// group first, which spreads the load of two groups that talk much (Valiant's
// routing); inside a group first along the chassis, then between chassis. Routers
// that adapt take the one or the other way, whichever is less busy.
#pragma once

#include <acre/topology/network.hpp>

namespace acre::topology {

class dragonfly final : public network {
 public:
  enum class routing : std::uint8_t {
    minimal,
    /// By way of the group that follows, from 0 and without the two, the sum of the routers'
    /// numbers; minimal where there are two groups.
    valiant
  };
  struct shape {
    std::uint32_t groups = 1;
    std::uint32_t chassis = 1;                ///< of a group
    std::uint32_t blades = 1;                 ///< of a chassis; a blade is a router
    std::uint32_t nodes = 1;                  ///< of a blade
    double node_bandwidth = usual_bandwidth;  ///< bytes a second of each link, each way
    double blade_bandwidth = usual_bandwidth;
    double chassis_bandwidth = usual_bandwidth;
    double group_bandwidth = usual_bandwidth;
    routing ways = routing::minimal;
  };

  /// @throws acre::error when a number is zero
  explicit dragonfly(const shape& form);

  /// From node to router, between routers and from router to node: 2 to a node of the same router.
  [[nodiscard]] unsigned distance(node_t from, node_t to) const override;
  void route(node_t from, node_t to, std::vector<link_t>& crossed) const override;
  using network::bandwidth;
  [[nodiscard]] double bandwidth(link_t link) const override;
  [[nodiscard]] std::string link_name(link_t link) const override;
  [[nodiscard]] std::string name() const override;
  [[nodiscard]] unsigned levels() const override { return 3; }
  [[nodiscard]] std::uint32_t group(node_t node, unsigned level) const override;

  [[nodiscard]] const shape& form() const noexcept { return form_; }

 private:
  /// The kinds of links, in the order of their numbers.
  struct kind {
    const char* name;
    std::uint32_t first;
    std::uint32_t each;  ///< links of this kind that a router (a node, a group) has
    double bandwidth;
  };
  enum kind_index : std::size_t { up, down, blade, chassis, global, kinds };

  [[nodiscard]] std::uint32_t routers_of_group() const noexcept {
    return form_.chassis * form_.blades;
  }
  [[nodiscard]] link_t link(kind_index which, std::uint32_t owner, std::uint32_t port) const {
    return kinds_[which].first + owner * kinds_[which].each + port;
  }
  [[nodiscard]] const kind& kind_of(link_t link) const;
  /// Calls `inside(router, router)` and `across(group, group)` along the way between two routers.
  template <class Inside, class Across>
  void walk(std::uint32_t from, std::uint32_t to, Inside&& inside, Across&& across) const;
  void route_in_group(std::uint32_t from, std::uint32_t to, std::vector<link_t>& crossed) const;
  [[nodiscard]] unsigned distance_in_group(std::uint32_t from, std::uint32_t to) const noexcept;

  shape form_;
  std::vector<kind> kinds_;
};

}  // namespace acre::topology
