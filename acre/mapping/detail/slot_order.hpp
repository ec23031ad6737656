// SPDX-License-Identifier: BSD-3-Clause
// The slots of a job in an order in which those of a node, of a blade and of a group
// follow each other; in a grid of nodes, those of a cube of a Hilbert curve.
#pragma once

#include <acre/mapping/metrics.hpp>

#include <cstdint>
#include <vector>

namespace acre::mapping {

struct slot_order {
  /// In the place of a slot that a smaller node or group has not.
  static constexpr topology::slot_t missing = ~topology::slot_t{0};

  std::vector<topology::slot_t> slots;
  /// How many places the groups of each level have here, those of a node first.
  std::vector<std::uint32_t> sizes;
  /// Whether it is all the same which of the nodes of a group a rank has: not in a cube.
  bool alike = true;
};

[[nodiscard]] slot_order slots_by_group(const machine& where);

}  // namespace acre::mapping
