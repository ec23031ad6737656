// SPDX-License-Identifier: BSD-3-Clause
// The places inside a node: its packages, NUMA domains, caches, cores and
// processing units, each inside of the one that contains it.
//
// Which kind stands inside which differs: a package may have several NUMA
// domains, and a NUMA domain several packages. A NUMA domain is the inner place
// of the cores nearest to its memory; further memory of the same cores
// (high-bandwidth memory) is a domain with nothing inside.
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
  /// How the operating system numbers places of this kind; nothing where it does not.
  std::optional<std::uint32_t> os_index = {};
  std::vector<node_place> inside = {};

  friend bool operator==(const node_place&, const node_place&) = default;
};

/// Wraps each processing unit outside of a core in a core of its own: hwloc reports no cores on
/// some machines, and writes none to a file when they are filtered out.
void add_missing_cores(node_place& tree);

/// How many places of a kind there are in `tree`, itself included.
[[nodiscard]] std::size_t count(const node_place& tree, place_kind kind);

/// The indices of all places of a kind, from left to right; places without one are left out.
[[nodiscard]] std::vector<std::uint32_t> os_indices(const node_place& tree, place_kind kind);

/// How many places each place holds, from the outermost to the cores: {2, 4, 8} for two packages of
/// four NUMA domains of eight cores. A kind of places that do not have equally many cores each is
/// left out, and one that tells the same cores apart as another. {1} for a node of one core.
[[nodiscard]] std::vector<std::uint32_t> shape_of(const node_place& tree);

}  // namespace acre::topology
