// SPDX-License-Identifier: BSD-3-Clause
#include <acre/topology/node_tree.hpp>

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

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

void add_missing_cores(node_place& tree) {
  if (tree.kind == place_kind::core) return;
  for (node_place& each : tree.inside) {
    if (each.kind != place_kind::processing_unit) {
      add_missing_cores(each);
      continue;
    }
    node_place core{.kind = place_kind::core, .os_index = {}, .inside = {}};
    core.inside.push_back(std::move(each));
    each = std::move(core);
  }
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

namespace {

void add_cores(const node_place& tree, place_kind kind, std::vector<std::size_t>& cores) {
  if (tree.kind == kind) {
    if (const std::size_t here = count(tree, place_kind::core); here != 0) cores.push_back(here);
    return;
  }
  for (const node_place& each : tree.inside) add_cores(each, kind, cores);
}

}  // namespace

std::vector<std::uint32_t> shape_of(const node_place& tree) {
  const std::size_t all = count(tree, place_kind::core);
  // Sizes of places in cores: all, then each kind of place.
  std::vector<std::size_t> sizes{all};
  for (const place_kind kind : {place_kind::package, place_kind::numa_domain, place_kind::l3_cache,
                                place_kind::l2_cache, place_kind::core}) {
    std::vector<std::size_t> cores;
    add_cores(tree, kind, cores);
    const bool even = !cores.empty() && cores.size() * cores.front() == all &&
                      std::ranges::count(cores, cores.front()) == std::ssize(cores);
    if (even) sizes.push_back(cores.front());
  }
  std::ranges::sort(sizes, std::greater{});
  std::vector<std::uint32_t> shape;
  for (std::size_t i = 1; i < sizes.size(); ++i) {
    // A kind that overlaps a larger kind is dropped.
    if (sizes[i - 1] % sizes[i] != 0) sizes[i] = sizes[i - 1];
    if (sizes[i] == sizes[i - 1]) continue;
    shape.push_back(static_cast<std::uint32_t>(sizes[i - 1] / sizes[i]));
  }
  if (shape.empty()) shape.push_back(1);
  return shape;
}

}  // namespace acre::topology
