// SPDX-License-Identifier: BSD-3-Clause
// Hierarchy of packages, NUMA domains, caches and cores inside a node. Further memory of the same
// cores (HBM) is a domain without children.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace acre::topology {

enum class place_kind { node, package, numa_domain, l3_cache, l2_cache, core, processing_unit };

[[nodiscard]] std::string_view name_of(place_kind kind);

struct node_place {
  place_kind kind = place_kind::node;
  /// Number by the operating system, if any.
  std::optional<std::uint32_t> os_index = {};
  std::vector<node_place> inside = {};

  friend bool operator==(const node_place&, const node_place&) = default;
};

/// Inserts a core above each processing unit without one, as hwloc or a file omits them.
void add_missing_cores(node_place& tree);

/// Number of places of `kind`, `tree` included.
[[nodiscard]] std::size_t count(const node_place& tree, place_kind kind);

/// Numbers of the places of `kind`, left to right; places without one are skipped.
[[nodiscard]] std::vector<std::uint32_t> os_indices(const node_place& tree, place_kind kind);

/// Number of children per level, outermost first, e.g. {2, 4, 8}; {1} for one core. Kinds that are
/// uneven or add no level are skipped.
[[nodiscard]] std::vector<std::uint32_t> shape_of(const node_place& tree);

}  // namespace acre::topology
