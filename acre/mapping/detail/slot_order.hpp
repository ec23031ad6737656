// The slots of a job in an order in which those of a node, of a blade and of a group
// follow each other; in a grid of nodes, those of a cube of a Hilbert curve.
#pragma once

#include <acre/mapping/metrics.hpp>

#include <cstdint>
#include <vector>

namespace acre::mapping {

struct slot_order {
  std::vector<topology::slot_t> slots;
  /// How many slots the groups of each level have, those of a node first: levels that are as large
  /// all over the job. None where nodes differ.
  std::vector<std::uint32_t> sizes;
  /// Whether it is all the same which of the nodes of a group a rank has: not in a cube.
  bool alike = true;
};

[[nodiscard]] slot_order slots_by_group(const machine& where);

}  // namespace acre::mapping
