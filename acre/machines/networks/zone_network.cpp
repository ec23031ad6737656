// SPDX-License-Identifier: BSD-3-Clause
#include <acre/machines/networks/zone_network.hpp>

#include <acre/base/error.hpp>

#include <algorithm>
#include <limits>
#include <queue>
#include <set>
#include <unordered_set>

namespace acre::machines {
namespace {

using member_t = zone_map::member_t;

std::uint64_t ends(member_t from, member_t to) { return std::uint64_t{from} << 32 | to; }

std::size_t hosts_in(const zone_map& map) {
  return static_cast<std::size_t>(
      std::ranges::count(map.members, zone_map::kind::host, &zone_map::member::is));
}

}  // namespace

zone_network::zone_network(zone_map map)
    : topology::network(hosts_in(map), map.links.size()), map_(std::move(map)) {
  for (member_t which = 0; which < map_.members.size(); ++which) {
    if (map_.members[which].is == zone_map::kind::host) hosts_.push_back(which);
  }
  add_empty_ways_to_gates();
  find_depths();
  find_ways();
  find_groups();
}

/// Adds missing empty routes between a zone's gateways and its other hosts and routers. At a
/// gateway, routes between zones enter or leave.
void zone_network::add_empty_ways_to_gates() {
  std::unordered_set<std::uint64_t> known;
  std::set<member_t> gates;
  for (const zone_map::way& each : map_.ways) {
    known.insert(ends(each.from, each.to));
    for (const auto& [member, gate] : {std::pair(each.from, each.out), {each.to, each.in}}) {
      if (gate != member) gates.insert(gate);
    }
  }
  for (const member_t gate : gates) {
    const member_t zone = map_.members[gate].zone;
    if (map_.members[zone].by != zone_map::routing::table) continue;
    for (member_t each = 1; each < map_.members.size(); ++each) {
      const bool is_point = map_.members[each].is != zone_map::kind::zone;
      if (each == gate || map_.members[each].zone != zone || !is_point) continue;
      for (const auto& [from, to] : {std::pair(each, gate), {gate, each}}) {
        if (!known.insert(ends(from, to)).second) continue;
        map_.ways.push_back({.from = from, .to = to, .out = from, .in = to, .links = {}});
        if (!first_assumed_) first_assumed_ = missing_way{zone, from, to};
      }
    }
  }
}

void zone_network::find_depths() {
  depths_.assign(map_.members.size(), 0);
  for (member_t which = 1; which < map_.members.size(); ++which) {
    depths_[which] = depths_[map_.members[which].zone] + 1;
  }
}

void zone_network::find_ways() {
  std::unordered_map<member_t, std::vector<const zone_map::way*>> of_zone;
  for (const zone_map::way& each : map_.ways) {
    const member_t zone = map_.members[each.from].zone;
    if (map_.members[zone].by == zone_map::routing::table) {
      table_.emplace(ends(each.from, each.to), &each);
    } else if (map_.members[zone].by == zone_map::routing::shortest) {
      of_zone[zone].push_back(&each);
    }
  }
  for (const auto& [zone, ways] : of_zone) find_chains(zone, ways);
}

/// Shortest chains by number of links, by Dijkstra's algorithm from each member.
void zone_network::find_chains(member_t zone, const std::vector<const zone_map::way*>& ways) {
  chains found;
  for (const zone_map::way* each : ways) {
    for (const member_t end : {each->from, each->to}) {
      found.places.emplace(end, static_cast<std::uint32_t>(found.places.size()));
    }
  }
  const std::size_t all = found.places.size();
  std::vector<std::vector<const zone_map::way*>> from(all);
  for (const zone_map::way* each : ways) from[found.places.at(each->from)].push_back(each);
  found.last.assign(all * all, nullptr);
  for (std::uint32_t source = 0; source < all; ++source) {
    std::vector<std::size_t> lengths(all, std::numeric_limits<std::size_t>::max());
    using step = std::pair<std::size_t, std::uint32_t>;
    std::priority_queue<step, std::vector<step>, std::greater<>> next;
    lengths[source] = 0;
    next.emplace(0, source);
    while (!next.empty()) {
      const auto [length, here] = next.top();
      next.pop();
      if (length > lengths[here]) continue;
      for (const zone_map::way* each : from[here]) {
        const std::uint32_t there = found.places.at(each->to);
        if (length + each->links.size() >= lengths[there]) continue;
        lengths[there] = length + each->links.size();
        found.last[source * all + there] = each;
        next.emplace(lengths[there], there);
      }
    }
  }
  chains_.emplace(zone, std::move(found));
}

/// Zones as groups; levels that do not separate hosts are dropped.
void zone_network::find_groups() {
  std::vector<std::vector<member_t>> zones;
  std::size_t deepest = 0;
  for (const member_t host : hosts_) {
    std::vector<member_t> around;
    for (member_t at = map_.members[host].zone; at != 0; at = map_.members[at].zone) {
      around.push_back(at);
    }
    std::ranges::reverse(around);
    deepest = std::max(deepest, around.size());
    if (around.empty()) around.push_back(host);
    zones.push_back(std::move(around));
  }
  for (std::size_t depth = 0; depth < deepest; ++depth) {
    std::vector<std::uint32_t> level;
    level.reserve(zones.size());
    for (const auto& around : zones) level.push_back(around[std::min(depth, around.size() - 1)]);
    const std::size_t groups = std::set(level.begin(), level.end()).size();
    const bool says_more = groups > 1 && groups < level.size();
    if (says_more && (groups_.empty() || groups_.back() != level)) groups_.push_back(level);
  }
}

std::vector<const zone_map::way*> zone_network::ways_between(member_t zone, member_t from,
                                                             member_t to) const {
  if (map_.members[zone].by == zone_map::routing::table) {
    const auto known = table_.find(ends(from, to));
    if (known == table_.end()) return {};
    return {known->second};
  }
  const auto known = chains_.find(zone);
  if (known == chains_.end()) return {};
  const chains& all = known->second;
  const auto source = all.places.find(from);
  auto place = all.places.find(to);
  if (source == all.places.end() || place == all.places.end()) return {};
  std::vector<const zone_map::way*> chain;
  while (place->second != source->second) {
    const zone_map::way* last = all.last[source->second * all.places.size() + place->second];
    if (last == nullptr) return {};
    chain.push_back(last);
    place = all.places.find(last->from);
  }
  std::ranges::reverse(chain);
  return chain;
}

void zone_network::add_star(member_t zone, member_t from, member_t to,
                            std::vector<topology::link_t>& crossed) const {
  const auto up = map_.spokes.find(from);
  const auto down = map_.spokes.find(to);
  const auto backbone = map_.backbones.find(zone);
  if (up != map_.spokes.end()) crossed.push_back(up->second.up);
  if (backbone != map_.backbones.end()) crossed.push_back(backbone->second);
  if (down != map_.spokes.end()) crossed.push_back(down->second.down);
}

void zone_network::walk(member_t from, member_t to, std::vector<topology::link_t>& crossed) const {
  if (from == to) return;
  member_t a = from;
  member_t b = to;
  while (map_.members[a].zone != map_.members[b].zone) {
    member_t& deeper = depths_[a] > depths_[b] ? a : b;
    deeper = map_.members[deeper].zone;
  }
  const member_t zone = map_.members[a].zone;
  if (map_.members[zone].by == zone_map::routing::star) return add_star(zone, a, b, crossed);
  const auto chain = ways_between(zone, a, b);
  if (chain.empty()) {
    throw error("machines::zone_network",
                "no route leads from '" + map_.members[a].name + "' to '" + map_.members[b].name +
                    "' in zone '" + map_.members[zone].name + "'",
                "add a route or a zoneRoute element");
  }
  member_t here = from;
  for (const zone_map::way* each : chain) {
    walk(here, each->out, crossed);
    crossed.insert(crossed.end(), each->links.begin(), each->links.end());
    here = each->in;
  }
  walk(here, to, crossed);
}

void zone_network::route(topology::node_t from, topology::node_t to,
                         std::vector<topology::link_t>& crossed) const {
  walk(hosts_[from], hosts_[to], crossed);
}

unsigned zone_network::distance(topology::node_t from, topology::node_t to) const {
  std::vector<topology::link_t> crossed;
  route(from, to, crossed);
  return static_cast<unsigned>(crossed.size());
}

std::vector<bool> zone_network::with_hosts() const {
  std::vector<bool> found(map_.members.size(), false);
  for (auto which = static_cast<member_t>(map_.members.size()); which-- > 0;) {
    if (map_.members[which].is == zone_map::kind::host) found[which] = true;
    if (found[which]) found[map_.members[which].zone] = true;
  }
  return found;
}

std::optional<zone_network::missing_way> zone_network::find_missing() const {
  const std::vector<bool> has_host = with_hosts();
  std::unordered_map<member_t, std::set<member_t>> met;
  for (member_t which = 1; which < map_.members.size(); ++which) {
    if (has_host[which]) met[map_.members[which].zone].insert(which);
  }
  for (const zone_map::way& each : map_.ways) {
    for (const auto& [member, gate] : {std::pair(each.from, each.out), {each.to, each.in}}) {
      for (member_t at = gate; at != member; at = map_.members[at].zone) {
        met[map_.members[at].zone].insert(at);
      }
    }
  }
  for (const auto& [zone, members] : met) {
    if (map_.members[zone].by == zone_map::routing::star) continue;
    for (const member_t from : members) {
      for (const member_t to : members) {
        if (from == to || (!has_host[from] && !has_host[to])) continue;
        if (ways_between(zone, from, to).empty()) return missing_way{zone, from, to};
      }
    }
  }
  return std::nullopt;
}

}  // namespace acre::machines
