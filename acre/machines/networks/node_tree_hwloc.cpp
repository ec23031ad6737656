// SPDX-License-Identifier: BSD-3-Clause
#include <acre/machines/networks/node_tree_hwloc.hpp>

#include <acre/base/error.hpp>

#include <hwloc.h>
#include <memory>
#include <type_traits>

namespace acre::machines {
namespace {

using topology_handle =
    std::unique_ptr<std::remove_pointer_t<hwloc_topology_t>, decltype(&hwloc_topology_destroy)>;

topology_handle new_topology() {
  hwloc_topology_t made = nullptr;
  if (hwloc_topology_init(&made) != 0)
    throw error("topology::node_tree", "hwloc cannot be initialised");
  return {made, &hwloc_topology_destroy};
}

std::optional<topology::place_kind> kind_of(hwloc_obj_t object) {
  switch (object->type) {
    case HWLOC_OBJ_PACKAGE:
      return topology::place_kind::package;
    case HWLOC_OBJ_NUMANODE:
      return topology::place_kind::numa_domain;
    case HWLOC_OBJ_L3CACHE:
      return topology::place_kind::l3_cache;
    case HWLOC_OBJ_L2CACHE:
      return topology::place_kind::l2_cache;
    case HWLOC_OBJ_CORE:
      return topology::place_kind::core;
    case HWLOC_OBJ_PU:
      return topology::place_kind::processing_unit;
    default:
      return std::nullopt;
  }
}

std::optional<std::uint32_t> index_of(hwloc_obj_t object) {
  if (object->os_index == HWLOC_UNKNOWN_INDEX) return std::nullopt;
  return object->os_index;
}

/// NUMA domains of `object`, also those below a memory-side cache.
void add_domains(hwloc_obj_t object, std::vector<topology::node_place>& found) {
  for (hwloc_obj_t each = object->memory_first_child; each != nullptr; each = each->next_sibling) {
    if (each->type == HWLOC_OBJ_NUMANODE) {
      found.push_back({.kind = topology::place_kind::numa_domain, .os_index = index_of(each)});
    } else {
      add_domains(each, found);
    }
  }
}

void add_places(hwloc_obj_t object, std::vector<topology::node_place>& to) {
  std::vector<topology::node_place>* inner = &to;
  if (const auto kind = kind_of(object)) {
    to.push_back({.kind = *kind, .os_index = index_of(object)});
    inner = &to.back().inside;
  }
  std::vector<topology::node_place> domains;
  add_domains(object, domains);
  std::vector<topology::node_place> below;
  for (hwloc_obj_t each = object->first_child; each != nullptr; each = each->next_sibling) {
    add_places(each, below);
  }
  if (!domains.empty()) {
    domains.front().inside = std::move(below);
    below = std::move(domains);
  }
  inner->insert(inner->end(), std::make_move_iterator(below.begin()),
                std::make_move_iterator(below.end()));
}

topology::node_place tree_of(hwloc_topology_t topology) {
  topology::node_place tree;
  add_places(hwloc_get_root_obj(topology), tree.inside);
  topology::add_missing_cores(tree);
  return tree;
}

}  // namespace

topology::node_place this_node() {
  const topology_handle topology = new_topology();
  if (hwloc_topology_load(topology.get()) != 0) {
    throw error("machines::this_node", "hwloc cannot inspect this machine",
                "check that `lstopo` works here");
  }
  return tree_of(topology.get());
}

}  // namespace acre::machines
