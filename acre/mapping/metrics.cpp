// SPDX-License-Identifier: BSD-3-Clause
#include <acre/mapping/metrics.hpp>

#include <acre/base/error.hpp>

#include <algorithm>
#include <string>

namespace acre::mapping {
namespace {

void require_true(const machine& where, const traffic& flows, const placement& places) {
  constexpr const char* call = "mapping::measure";
  if (places.size() != flows.ranks()) {
    throw error(call, "mismatch of " + std::to_string(places.size()) + " places and " +
                          std::to_string(flows.ranks()) + " ranks");
  }
  std::vector<bool> taken(where.allocation.slots());
  for (std::size_t rank = 0; rank < places.size(); ++rank) {
    const topology::slot_t slot = places[rank];
    if (slot >= taken.size()) {
      throw error(call, "rank " + std::to_string(rank) + " is in slot " + std::to_string(slot) +
                            ", out of range for " + std::to_string(taken.size()) + " slots");
    }
    if (taken[slot]) throw error(call, "slot " + std::to_string(slot) + " has two ranks");
    taken[slot] = true;
  }
}

template <class Visit>
void for_each_flow(const machine& where, const traffic& flows, const placement& places,
                   Visit&& visit) {
  for (rank_t rank = 0; rank < flows.ranks(); ++rank) {
    const topology::node_t from = where.allocation.node_of(places[rank]);
    for (const traffic::flow& each : flows.from(rank)) {
      visit(each, from, where.allocation.node_of(places[each.to]));
    }
  }
}

bool clearly_less(double a, double b) noexcept { return a < b * (1 - 1e-6); }

class crossed_links {
 public:
  explicit crossed_links(const machine& where)
      : network_(where.network), bytes_(where.network.links()) {}

  void clear() {
    for (const topology::link_t link : used_) bytes_[link] = 0;
    used_.clear();
  }
  /// Adds `bytes` (above zero) to the links of the route.
  ///
  /// @return number of links
  unsigned cross(double bytes, topology::node_t from, topology::node_t to) {
    if (from == to) return 0;
    route_.clear();
    network_.route(from, to, route_);
    for (const topology::link_t link : route_) {
      if (bytes_[link] == 0) used_.push_back(link);
      bytes_[link] += bytes;
    }
    return static_cast<unsigned>(route_.size());
  }

  [[nodiscard]] std::span<const topology::link_t> used() const { return used_; }
  [[nodiscard]] double load(topology::link_t link) const {
    return bytes_[link] / network_.bandwidth(link);
  }
  [[nodiscard]] double largest_load() const {
    double largest = 0;
    for (const topology::link_t link : used_) largest = std::max(largest, load(link));
    return largest;
  }
  [[nodiscard]] std::vector<double> release_bytes() { return std::move(bytes_); }

 private:
  const topology::network& network_;
  std::vector<double> bytes_;
  std::vector<topology::link_t> used_;
  std::vector<topology::link_t> route_;
};

metrics measure_at_once(const machine& where, const traffic& flows, const placement& places,
                        crossed_links& links) {
  metrics result;
  double hops_of_flows = 0;
  double longest_way = 0;
  for_each_flow(where, flows, places,
                [&](const traffic::flow& each, topology::node_t from, topology::node_t to) {
                  const unsigned hops = links.cross(each.bytes, from, to);
                  if (result.bytes_by_distance.size() <= hops)
                    result.bytes_by_distance.resize(hops + 1);
                  result.bytes_by_distance[hops] += each.bytes;
                  hops_of_flows += hops;
                  result.hop_bytes += each.bytes * hops;
                  if (!where.level_costs.empty()) result.cost += each.bytes * where.cost(from, to);
                  result.largest_dilation = std::max(result.largest_dilation, hops);
                  longest_way = std::max(longest_way, flows.messages(each) * hops);
                  if (from != to) result.bytes_between_nodes += each.bytes;
                });
  if (where.level_costs.empty()) result.cost = result.hop_bytes;
  result.largest_load = links.largest_load();
  for (const topology::link_t link : links.used()) result.mean_load += links.load(link);
  if (!links.used().empty()) result.mean_load /= static_cast<double>(links.used().size());
  result.time = result.largest_load + where.hop_latency * longest_way;
  result.blocking_time = result.time;
  if (flows.flows() != 0) {
    result.mean_dilation = hops_of_flows / static_cast<double>(flows.flows());
  }
  return result;
}

double time_of(const machine& where, const traffic& flows, const placement& places,
               crossed_links& links) {
  links.clear();
  double longest = 0;
  for_each_flow(where, flows, places,
                [&](const traffic::flow& each, topology::node_t from, topology::node_t to) {
                  longest =
                      std::max(longest, flows.messages(each) * links.cross(each.bytes, from, to));
                });
  return links.largest_load() + where.hop_latency * longest;
}

}  // namespace

double metrics::mean_hops() const noexcept {
  double bytes = 0;
  for (const double each : bytes_by_distance) bytes += each;
  return bytes > 0 ? hop_bytes / bytes : 0;
}

double machine::cost(topology::node_t from, topology::node_t to) const {
  if (level_costs.empty()) return network.distance(from, to);
  if (from == to) return level_costs.front();
  const unsigned levels = network.levels();
  for (unsigned level = levels; level-- > 0;) {
    if (network.group(from, level) == network.group(to, level)) return level_costs[levels - level];
  }
  return level_costs.back();
}

bool metrics::better_than(const metrics& other, objective goal) const noexcept {
  if (goal == objective::cost) {
    if (clearly_less(cost, other.cost)) return true;
    if (clearly_less(other.cost, cost)) return false;
  }
  for (const auto member :
       {&metrics::time, &metrics::hop_bytes, &metrics::blocking_time, &metrics::mean_dilation}) {
    if (clearly_less(this->*member, other.*member)) return true;
    if (clearly_less(other.*member, this->*member)) return false;
  }
  return false;
}

bool metrics::slower_than(const metrics& other, double part, objective goal) const noexcept {
  if (goal == objective::cost) return cost > other.cost * (1 + part);
  return time > other.time * (1 + part) || blocking_time > other.blocking_time * (1 + part);
}

double hop_bytes(const machine& where, const traffic& flows, const placement& places) {
  require_true(where, flows, places);
  double sum = 0;
  for_each_flow(where, flows, places,
                [&](const traffic::flow& each, topology::node_t from, topology::node_t to) {
                  if (from != to) sum += each.bytes * where.network.distance(from, to);
                });
  return sum;
}

std::vector<double> link_bytes(const machine& where, const traffic& flows,
                               const placement& places) {
  require_true(where, flows, places);
  crossed_links links(where);
  for_each_flow(where, flows, places,
                [&](const traffic::flow& each, topology::node_t from, topology::node_t to) {
                  links.cross(each.bytes, from, to);
                });
  return links.release_bytes();
}

metrics measure(const machine& where, const traffic& flows, const placement& places,
                std::span<const traffic> phases) {
  require_true(where, flows, places);
  crossed_links links(where);
  metrics result = measure_at_once(where, flows, places, links);
  if (phases.empty()) return result;
  result.blocking_time = 0;
  for (const traffic& phase : phases) result.blocking_time += time_of(where, phase, places, links);
  return result;
}

}  // namespace acre::mapping
