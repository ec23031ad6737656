// How good a mapping is, by the measures of the literature.
//
// The time of an exchange is foretold best by the largest load of any link, the
// bytes that cross it over its bandwidth; hop-bytes (Bhatele, Kalé: Benefits of
// topology aware mapping for mesh interconnects, 2008) decide between mappings of
// equal load, and the mean dilation between those of equal hop-bytes.
#pragma once

#include <acre/mapping/traffic.hpp>
#include <acre/topology/allocation.hpp>
#include <acre/topology/network.hpp>

#include <compare>
#include <vector>

namespace acre::mapping {

/// The slot of each rank. No slot has two ranks.
using placement = std::vector<topology::slot_t>;

/// Where a job runs: a network, and the slots that it has in it. Both must outlive this.
struct machine {
  const topology::network& network;
  const topology::allocation& allocation;
};

struct metrics {
  double largest_load = 0;         ///< seconds that the busiest link needs: bytes / bandwidth
  double mean_load = 0;            ///< of the links that are used
  double hop_bytes = 0;            ///< bytes times the links that they cross
  double mean_dilation = 0;        ///< links that a flow crosses, on the average
  unsigned largest_dilation = 0;   ///< the longest way of any flow
  double bytes_between_nodes = 0;  ///< that leave a node
  std::vector<double> bytes_by_distance{};  ///< [links crossed]; [0] has what stays in a node

  /// Better is less: by largest load, hop-bytes, mean dilation. Differences of a millionth are
  /// none.
  [[nodiscard]] bool better_than(const metrics& other) const noexcept;
};

/// Measures a mapping. Time O(flows * their lengths), memory O(links).
/// @throws acre::error when a rank has no slot, or two have the same
[[nodiscard]] metrics measure(const machine& where, const traffic& flows, const placement& places);

/// The bytes that cross each link.
[[nodiscard]] std::vector<double> link_bytes(const machine& where, const traffic& flows,
                                             const placement& places);

}  // namespace acre::mapping
