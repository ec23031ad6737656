// SPDX-License-Identifier: BSD-3-Clause
// Tori, meshes and hypercubes with dimension-order routing, x first, the shorter way; ties go up,
// but to coordinate 0 down, as in SimGrid.
#pragma once

#include <acre/topology/network.hpp>

namespace acre::topology {

class torus final : public network {
 public:
  struct dimension {
    std::uint32_t extent = 1;
    bool wraps = true;
    double bandwidth = usual_bandwidth;  ///< bytes/s per link
  };

  /// @param nodes_a_router nodes at distance 0
  /// @throws acre::error without dimensions, at a zero, or if nodes times 2 times dimensions exceed
  /// 2^26
  explicit torus(std::vector<dimension> dimensions, std::uint32_t nodes_a_router = 1);

  [[nodiscard]] unsigned distance(node_t from, node_t to) const override;
  void route(node_t from, node_t to, std::vector<link_t>& crossed) const override;
  using network::bandwidth;
  [[nodiscard]] double bandwidth(link_t link) const override;
  [[nodiscard]] std::string link_name(link_t link) const override;
  [[nodiscard]] std::string name() const override;
  [[nodiscard]] std::span<const std::uint32_t> extents() const override { return extents_; }
  [[nodiscard]] unsigned levels() const override { return nodes_a_router_ > 1 ? 1 : 0; }
  [[nodiscard]] std::uint32_t group(node_t node, unsigned level) const override;

  [[nodiscard]] std::span<const dimension> dimensions() const noexcept { return dimensions_; }
  [[nodiscard]] std::uint32_t nodes_a_router() const noexcept override { return nodes_a_router_; }

 private:
  struct steps {
    std::uint32_t count;
    bool up;
  };
  [[nodiscard]] static steps steps_between(const dimension& along, std::uint32_t from,
                                           std::uint32_t to) noexcept;
  [[nodiscard]] link_t link_from(std::uint32_t router, std::size_t along, bool up) const;

  std::vector<dimension> dimensions_;
  std::vector<std::uint32_t> extents_;
  std::uint32_t nodes_a_router_;
};

/// Hypercube of 2^dimensions nodes; neighbours differ in one bit.
///
/// @throws acre::error unless 1 to 26 dimensions
[[nodiscard]] torus hypercube(unsigned dimensions, double bandwidth = usual_bandwidth);

}  // namespace acre::topology
