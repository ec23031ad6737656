// SPDX-License-Identifier: BSD-3-Clause
// Measures the quality of a mapping. Time is best predicted by the largest link load (bytes /
// bandwidth) plus, for small messages, route length times messages. Hop-bytes (Bhatele, Kalé:
// Benefits of topology aware mapping for mesh interconnects, 2008) break ties.
#pragma once

#include <acre/mapping/traffic.hpp>
#include <acre/topology/allocation.hpp>
#include <acre/topology/network.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace acre::mapping {

/// Slot of each rank; all slots differ.
using placement = std::vector<topology::slot_t>;

/// A network and the job's slots; both must outlive this.
struct machine {
  const topology::network& network;
  const topology::allocation& allocation;
  /// Seconds per link of a route; 0: large messages.
  double hop_latency = 0;
  /// Cost of a byte within a node, within a group of the smallest level, …, in the whole machine:
  /// levels() + 2 numbers. Empty: links crossed.
  std::span<const double> level_costs{};

  [[nodiscard]] double cost(topology::node_t from, topology::node_t to) const;
};

enum class objective : std::uint8_t {
  time,  ///< minimises the load of the busiest link
  cost   ///< minimises hop-bytes, or cost by level_costs
};

struct metrics {
  /// Seconds if all messages are sent at once: largest load plus longest latency.
  double time = 0;
  /// Sum of the phases' times, for blocking sends.
  double blocking_time = 0;
  double largest_load = 0;  ///< seconds
  double mean_load = 0;     ///< seconds, over the used links
  double hop_bytes = 0;
  double mean_dilation = 0;  ///< links per flow, not weighted by bytes
  unsigned largest_dilation = 0;
  double bytes_between_nodes = 0;
  double cost = 0;                          ///< by level_costs; without them, hop-bytes
  std::vector<double> bytes_by_distance{};  ///< by links crossed; [0]: within nodes

  [[nodiscard]] double mean_hops() const noexcept;

  /// Compares time, hop-bytes, blocking time, then mean dilation; for objective::cost, cost before
  /// these. Relative differences below 1e-6 are ties.
  [[nodiscard]] bool better_than(const metrics& other,
                                 objective goal = objective::time) const noexcept;
  /// True if time or blocking time (for objective::cost, the cost) exceeds that of `other` by over
  /// `part`.
  [[nodiscard]] bool slower_than(const metrics& other, double part = 1e-6,
                                 objective goal = objective::time) const noexcept;
};

/// Measures a mapping. Without `phases`, blocking_time equals time. O(flows * route length) time,
/// O(links + slots) memory.
///
/// @throws acre::error if a rank has no valid slot, or two ranks share one
[[nodiscard]] metrics measure(const machine& where, const traffic& flows, const placement& places,
                              std::span<const traffic> phases = {});

/// Sum of bytes times links crossed; cheaper than measure().
[[nodiscard]] double hop_bytes(const machine& where, const traffic& flows, const placement& places);

[[nodiscard]] std::vector<double> link_bytes(const machine& where, const traffic& flows,
                                             const placement& places);

}  // namespace acre::mapping
