// SPDX-License-Identifier: BSD-3-Clause
// Network of nested zones (SimGrid). A message between zones goes through the gateways of both. A
// zone's routes are a table, shortest chains of routes, or a star with optional backbone. Hosts are
// the network's nodes, zones its groups.
#pragma once

#include <acre/topology/network.hpp>

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace acre::machines {

struct zone_map {
  /// Host, router or zone; 0 is the outermost zone.
  using member_t = std::uint32_t;
  enum class kind { host, router, zone };
  enum class routing { none, table, shortest, star };

  struct member {
    kind is;
    member_t zone;
    routing by = routing::none;
    std::string name = {};
  };
  /// Route between members of a zone. Zones are left at their host or router `out`, and entered at
  /// `in`.
  struct way {
    member_t from;
    member_t to;
    member_t out;
    member_t in;
    std::vector<topology::link_t> links;
  };
  struct spoke {
    topology::link_t up;
    topology::link_t down;
  };
  struct link {
    std::string name;
    double bandwidth;
  };

  std::vector<member> members;
  std::vector<way> ways;
  std::unordered_map<member_t, spoke> spokes;
  std::unordered_map<member_t, topology::link_t> backbones;
  std::vector<link> links;
};

class zone_network final : public topology::network {
 public:
  using member_t = zone_map::member_t;

  /// Quadratic in the members of shortest-path zones; the caller limits them.
  /// @param map each member after its zone
  explicit zone_network(zone_map map);

  [[nodiscard]] unsigned distance(topology::node_t from, topology::node_t to) const override;
  void route(topology::node_t from, topology::node_t to,
             std::vector<topology::link_t>& crossed) const override;
  using topology::network::bandwidth;
  [[nodiscard]] double bandwidth(topology::link_t link) const override {
    return map_.links[link].bandwidth;
  }
  [[nodiscard]] std::string link_name(topology::link_t link) const override {
    return map_.links[link].name;
  }
  [[nodiscard]] std::string name() const override { return "zones"; }
  [[nodiscard]] unsigned levels() const override { return static_cast<unsigned>(groups_.size()); }
  [[nodiscard]] std::uint32_t group(topology::node_t node, unsigned level) const override {
    return groups_[level][node];
  }

  struct missing_way {
    member_t zone;
    member_t from;
    member_t to;
  };
  [[nodiscard]] std::optional<missing_way> find_missing() const;
  /// First route to or from a gateway that its zone's table lacks, assumed empty as in SimGrid.
  [[nodiscard]] const std::optional<missing_way>& first_assumed() const noexcept {
    return first_assumed_;
  }

 private:
  struct chains {
    std::unordered_map<member_t, std::uint32_t> places;
    std::vector<const zone_map::way*> last;
  };

  void add_empty_ways_to_gates();
  void find_depths();
  void find_ways();
  void find_chains(member_t zone, const std::vector<const zone_map::way*>& ways);
  void find_groups();
  [[nodiscard]] std::vector<bool> with_hosts() const;
  [[nodiscard]] std::vector<const zone_map::way*> ways_between(member_t zone, member_t from,
                                                               member_t to) const;
  void add_star(member_t zone, member_t from, member_t to,
                std::vector<topology::link_t>& crossed) const;
  void walk(member_t from, member_t to, std::vector<topology::link_t>& crossed) const;

  zone_map map_;
  std::vector<member_t> hosts_;
  std::vector<unsigned> depths_;
  std::optional<missing_way> first_assumed_;
  std::unordered_map<std::uint64_t, const zone_map::way*> table_;
  std::unordered_map<member_t, chains> chains_;
  std::vector<std::vector<std::uint32_t>> groups_;
};

}  // namespace acre::machines
