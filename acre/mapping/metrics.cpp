#include <acre/mapping/metrics.hpp>

#include <acre/base/error.hpp>

#include <algorithm>
#include <string>

namespace acre::mapping {
namespace {

void require_true(const machine& where, const traffic& flows, const placement& places) {
  constexpr const char* call = "mapping::measure";
  if (places.size() != flows.ranks()) {
    throw error(call, std::to_string(places.size()) + " places for " +
                          std::to_string(flows.ranks()) + " ranks");
  }
  std::vector<bool> taken(where.allocation.slots());
  for (std::size_t rank = 0; rank < places.size(); ++rank) {
    const topology::slot_t slot = places[rank];
    if (slot >= taken.size()) {
      throw error(call, "rank " + std::to_string(rank) + " is in slot " + std::to_string(slot) +
                            " of " + std::to_string(taken.size()));
    }
    if (taken[slot]) throw error(call, "slot " + std::to_string(slot) + " has two ranks");
    taken[slot] = true;
  }
}

/// Calls `visit(bytes, from node, to node)` for each flow.
template <class Visit>
void for_each_flow(const machine& where, const traffic& flows, const placement& places,
                   Visit&& visit) {
  for (rank_t rank = 0; rank < flows.ranks(); ++rank) {
    const topology::node_t from = where.allocation.node_of(places[rank]);
    for (const traffic::flow& each : flows.from(rank)) {
      visit(each.bytes, from, where.allocation.node_of(places[each.to]));
    }
  }
}

bool clearly_less(double a, double b) noexcept { return a < b * (1 - 1e-6); }

/// The bytes that cross each link.
std::vector<double> bytes_of_links(const machine& where, const traffic& flows,
                                   const placement& places) {
  std::vector<double> bytes(where.network.links());
  std::vector<topology::link_t> crossed;
  for_each_flow(where, flows, places, [&](double each, topology::node_t from, topology::node_t to) {
    if (from == to) return;
    crossed.clear();
    where.network.route(from, to, crossed);
    for (const topology::link_t link : crossed) bytes[link] += each;
  });
  return bytes;
}

/// All of it at once.
metrics measure_at_once(const machine& where, const traffic& flows, const placement& places) {
  const std::vector<double> bytes = bytes_of_links(where, flows, places);
  metrics result;
  std::size_t used = 0;
  for (std::size_t link = 0; link < bytes.size(); ++link) {
    if (bytes[link] == 0) continue;
    const double load = bytes[link] / where.network.bandwidth(static_cast<topology::link_t>(link));
    result.largest_load = std::max(result.largest_load, load);
    result.mean_load += load;
    ++used;
  }
  if (used != 0) result.mean_load /= static_cast<double>(used);

  double links = 0;
  for_each_flow(where, flows, places, [&](double each, topology::node_t from, topology::node_t to) {
    const unsigned hops = from == to ? 0 : where.network.distance(from, to);
    if (result.bytes_by_distance.size() <= hops) result.bytes_by_distance.resize(hops + 1);
    result.bytes_by_distance[hops] += each;
    result.hop_bytes += each * hops;
    result.largest_dilation = std::max(result.largest_dilation, hops);
    if (from != to) result.bytes_between_nodes += each;
    links += hops;
  });
  result.time = result.largest_load + where.hop_latency * result.largest_dilation;
  result.blocking_time = result.time;
  if (flows.flows() != 0) result.mean_dilation = links / static_cast<double>(flows.flows());
  return result;
}

}  // namespace

bool metrics::better_than(const metrics& other) const noexcept {
  for (const auto member :
       {&metrics::time, &metrics::hop_bytes, &metrics::blocking_time, &metrics::mean_dilation}) {
    if (clearly_less(this->*member, other.*member)) return true;
    if (clearly_less(other.*member, this->*member)) return false;
  }
  return false;
}

bool metrics::slower_than(const metrics& other, double part) const noexcept {
  return time > other.time * (1 + part) || blocking_time > other.blocking_time * (1 + part);
}

std::vector<double> link_bytes(const machine& where, const traffic& flows,
                               const placement& places) {
  require_true(where, flows, places);
  return bytes_of_links(where, flows, places);
}

metrics measure(const machine& where, const traffic& flows, const placement& places,
                std::span<const traffic> phases) {
  require_true(where, flows, places);
  metrics result = measure_at_once(where, flows, places);
  if (phases.empty()) return result;
  result.blocking_time = 0;
  for (const traffic& phase : phases) {
    result.blocking_time += measure_at_once(where, phase, places).time;
  }
  return result;
}

}  // namespace acre::mapping
