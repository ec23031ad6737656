// SPDX-License-Identifier: BSD-3-Clause
// Slots ordered by group, blade and node. In grids, cubes of a Hilbert curve replace groups.
#pragma once

#include <acre/mapping/metrics.hpp>

#include <cstdint>
#include <vector>

namespace acre::mapping {

struct slot_order {
  /// Entry of a padded slot, which fills up smaller groups.
  static constexpr topology::slot_t missing = ~topology::slot_t{0};

  std::vector<topology::slot_t> slots;
  /// Padded group sizes by level, nodes first.
  std::vector<std::uint32_t> sizes;
  /// True if the nodes of a group are equivalent; false for cubes.
  bool alike = true;
};

[[nodiscard]] slot_order slots_by_group(const machine& where);

}  // namespace acre::mapping
