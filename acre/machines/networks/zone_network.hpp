// SPDX-License-Identifier: BSD-3-Clause
// A network of zones in zones, as SimGrid's platforms have them: a message goes
// from a host to the gate of its zone, over the links between two zones, and from
// the other's gate on.
//
// Each zone says how its members, hosts, routers and other zones, reach each
// other: by a table of ways, by the shortest chain of ways, or, in a star, over
// the links of both ends and a backbone. A link is used in both directions, or has
// a partner for the other one. Hosts are the nodes; groups are the zones.
#pragma once

#include <acre/topology/network.hpp>

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace acre::machines {

struct zone_map {
  /// A host, a router or a zone; 0 is the zone that all others are in.
  using member_t = std::uint32_t;
  enum class kind { host, router, zone };
  enum class routing { none, table, shortest, star };

  struct member {
    kind is;
    member_t zone;
    routing by = routing::none;  ///< of a zone
    std::string name = {};
  };
  /// Between two members of a zone: out of a host or router inside the first, into one inside the
  /// second. Of hosts and routers these are themselves.
  struct way {
    member_t from;
    member_t to;
    member_t out;
    member_t in;
    std::vector<topology::link_t> links;
  };
  /// What joins a host with the middle of its star.
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
  std::unordered_map<member_t, topology::link_t> backbones;  ///< of stars that have one
  std::vector<link> links;
};

class zone_network final : public topology::network {
 public:
  using member_t = zone_map::member_t;

  /// Of zones by shortest ways the members are counted before: their square is kept.
  /// @param map whose members come behind the zones that they are in
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
  /// "zones": there is no short way to say it.
  [[nodiscard]] std::string name() const override { return "zones"; }
  [[nodiscard]] unsigned levels() const override { return static_cast<unsigned>(groups_.size()); }
  [[nodiscard]] std::uint32_t group(topology::node_t node, unsigned level) const override {
    return groups_[level][node];
  }

  /// Two members of a zone between which a message may have to go, and no way leads.
  struct missing_way {
    member_t zone;
    member_t from;
    member_t to;
  };
  [[nodiscard]] std::optional<missing_way> find_missing() const;
  /// The first pair of a host or router and a gate of its zone that has no route in the zone's
  /// table: the route is taken as one without links, as SimGrid does.
  [[nodiscard]] const std::optional<missing_way>& first_assumed() const noexcept {
    return first_assumed_;
  }

 private:
  /// Of a zone by shortest ways: the last way of each chain, by the places of its ends.
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
  std::vector<member_t> hosts_;  ///< by node
  std::vector<unsigned> depths_;
  std::optional<missing_way> first_assumed_;
  std::unordered_map<std::uint64_t, const zone_map::way*> table_;
  std::unordered_map<member_t, chains> chains_;
  std::vector<std::vector<std::uint32_t>> groups_;
};

}  // namespace acre::machines
