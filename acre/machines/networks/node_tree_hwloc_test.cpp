// SPDX-License-Identifier: BSD-3-Clause
#include <acre/machines/networks/node_tree_hwloc.hpp>

#include <acre/machines/networks/node_tree_xml.hpp>

#include <gtest/gtest.h>

#include <hwloc.h>
#include <set>

namespace acre::machines {
namespace {

TEST(NodeTree, IsFoundOnThisMachine) {
  const topology::node_place tree = this_node();
  EXPECT_EQ(tree.kind, topology::place_kind::node);
  const auto units = topology::os_indices(tree, topology::place_kind::processing_unit);
  EXPECT_EQ(units.size(), count(tree, topology::place_kind::processing_unit));
  EXPECT_EQ(std::set(units.begin(), units.end()).size(), units.size());
  EXPECT_GE(units.size(), 1U);
  EXPECT_GE(count(tree, topology::place_kind::numa_domain), 1U);
}

TEST(NodeTree, IsTheSameFromTheFileThatHwlocWrites) {
  hwloc_topology_t topology = nullptr;
  ASSERT_EQ(hwloc_topology_init(&topology), 0);
  ASSERT_EQ(hwloc_topology_load(topology), 0);
  char* text = nullptr;
  int size = 0;
  ASSERT_EQ(hwloc_topology_export_xmlbuffer(topology, &text, &size, 0), 0);
  const source_text file("node.xml", std::string(text));
  hwloc_free_xmlbuffer(topology, text);
  hwloc_topology_destroy(topology);
  EXPECT_EQ(read_node_tree(file), this_node());
}

}  // namespace
}  // namespace acre::machines
