#include <acre/topology/node_tree.hpp>

namespace acre::topology {

std::string_view name_of(place_kind kind) {
  switch (kind) {
    case place_kind::node:
      return "node";
    case place_kind::package:
      return "package";
    case place_kind::numa_domain:
      return "NUMA domain";
    case place_kind::l3_cache:
      return "L3 cache";
    case place_kind::l2_cache:
      return "L2 cache";
    case place_kind::core:
      return "core";
    case place_kind::processing_unit:
      return "processing unit";
  }
  return "place";
}

std::size_t count(const node_place& tree, place_kind kind) {
  std::size_t sum = tree.kind == kind ? 1 : 0;
  for (const node_place& each : tree.inside) sum += count(each, kind);
  return sum;
}

std::vector<std::uint32_t> os_indices(const node_place& tree, place_kind kind) {
  std::vector<std::uint32_t> found;
  if (tree.kind == kind && tree.os_index) found.push_back(*tree.os_index);
  for (const node_place& each : tree.inside) {
    const std::vector<std::uint32_t> below = os_indices(each, kind);
    found.insert(found.end(), below.begin(), below.end());
  }
  return found;
}

}  // namespace acre::topology
