// SPDX-License-Identifier: BSD-3-Clause
// Dragonfly network: groups of chassis of blades (routers), as in Cray's Aries (Kim, Dally, Scott,
// Abts: ISCA 2008; Alverson et al. 2012).
//
// Links connect all blades of a chassis, blades of equal position in all chassis of a group, and
// all groups; the link from group g to h leaves router h mod (routers per group). Routes in a group
// go along the chassis first. Real routers choose minimal or Valiant routes by load.
#pragma once

#include <acre/topology/network.hpp>

namespace acre::topology {

class dragonfly final : public network {
 public:
  enum class routing : std::uint8_t {
    minimal,
    /// Between groups via a third one: number (from + to router) mod (groups - 2) of the others;
    /// minimal for two groups.
    valiant
  };
  struct shape {
    std::uint32_t groups = 1;
    std::uint32_t chassis = 1;  ///< per group
    std::uint32_t blades = 1;   ///< per chassis; a blade is a router
    std::uint32_t nodes = 1;
    double node_bandwidth = usual_bandwidth;  ///< bytes/s per link and direction
    double blade_bandwidth = usual_bandwidth;
    double chassis_bandwidth = usual_bandwidth;
    double group_bandwidth = usual_bandwidth;
    routing ways = routing::minimal;
  };

  /// @throws acre::error if a number is zero, or for over 2^26 nodes or links
  explicit dragonfly(const shape& form);

  /// Number of links, including the two between nodes and routers: 2 within a router.
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
  struct kind {
    const char* name;
    std::uint32_t first;
    std::uint32_t each;  ///< links per owner (node, router or group)
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
  template <class Inside, class Across>
  void walk(std::uint32_t from, std::uint32_t to, Inside&& inside, Across&& across) const;
  void route_in_group(std::uint32_t from, std::uint32_t to, std::vector<link_t>& crossed) const;
  [[nodiscard]] unsigned distance_in_group(std::uint32_t from, std::uint32_t to) const noexcept;

  shape form_;
  std::vector<kind> kinds_;
};

}  // namespace acre::topology
