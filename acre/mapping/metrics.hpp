// SPDX-License-Identifier: BSD-3-Clause
// How good a mapping is, by the measures of the literature.
//
// The time of an exchange is foretold best by the largest load of any link, the
// bytes that cross it over its bandwidth, and for small messages by the longest way,
// once for each message of a pair, as these follow each other;
// hop-bytes (Bhatele, Kalé: Benefits of topology aware mapping for mesh
// interconnects, 2008) decide between mappings of equal time.
#pragma once

#include <acre/mapping/traffic.hpp>
#include <acre/topology/allocation.hpp>
#include <acre/topology/network.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace acre::mapping {

/// The slot of each rank. No slot has two ranks.
using placement = std::vector<topology::slot_t>;

/// Where a job runs: a network, and the slots that it has in it. Both must outlive this.
struct machine {
  const topology::network& network;
  const topology::allocation& allocation;
  /// Seconds that a link adds to a message's way. 0: messages are large.
  double hop_latency = 0;
  /// What a byte costs within a node, within the smallest groups, within the larger ones, and so on
  /// to the whole: levels() + 2 numbers. None: as much as it crosses links.
  std::span<const double> level_costs{};

  /// Of a byte from one node to another.
  [[nodiscard]] double cost(topology::node_t from, topology::node_t to) const;
};

/// What a mapping shall have little of.
enum class objective : std::uint8_t {
  time,  ///< of an exchange of all messages: what the busiest link needs
  cost   ///< of all bytes: hop-bytes, or by level_costs
};

struct metrics {
  /// Seconds of an exchange of all messages at once: the largest load, and the longest way that the
  /// messages of a pair go one after the other.
  double time = 0;
  /// The same when the phases of the communication follow each other, as when sends block.
  double blocking_time = 0;
  double largest_load = 0;         ///< seconds that the busiest link needs: bytes / bandwidth
  double mean_load = 0;            ///< of the links that are used
  double hop_bytes = 0;            ///< bytes times the links that they cross
  double mean_dilation = 0;        ///< links that a flow crosses, on the average, large or small
  unsigned largest_dilation = 0;   ///< the longest way of any flow
  double bytes_between_nodes = 0;  ///< that leave a node
  double cost = 0;                 ///< hop-bytes, where the machine has no level_costs
  std::vector<double> bytes_by_distance{};  ///< [links crossed]; [0] has what stays in a node

  /// Links that a byte crosses, on the average.
  [[nodiscard]] double mean_hops() const noexcept;

  /// Better is less: by time, hop-bytes, blocking time, mean dilation; or by cost before all of
  /// them. Differences of a millionth are none.
  [[nodiscard]] bool better_than(const metrics& other,
                                 objective goal = objective::time) const noexcept;
  /// Whether an exchange takes longer, at once or in phases, by more than such a part; or costs
  /// more.
  [[nodiscard]] bool slower_than(const metrics& other, double part = 1e-6,
                                 objective goal = objective::time) const noexcept;
};

/// Measures a mapping. `phases` are the steps of blocking_time; without them all traffic is one.
/// Time O(flows * their lengths), once for all and once for the phases; memory O(links).
/// @throws acre::error when a rank has no slot, or two have the same
[[nodiscard]] metrics measure(const machine& where, const traffic& flows, const placement& places,
                              std::span<const traffic> phases = {});

/// Bytes times the links that they cross; of the metrics alone, which are more work.
[[nodiscard]] double hop_bytes(const machine& where, const traffic& flows, const placement& places);

/// The bytes that cross each link.
[[nodiscard]] std::vector<double> link_bytes(const machine& where, const traffic& flows,
                                             const placement& places);

}  // namespace acre::mapping
