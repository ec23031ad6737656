// SPDX-License-Identifier: BSD-3-Clause
#include <acre/machines/networks/node_tree_xml.hpp>

#include <acre/machines/networks/wrong_text.hpp>

#include <gtest/gtest.h>

namespace acre::machines {
namespace {

const std::string node = R"(<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE topology SYSTEM "hwloc2.dtd">
<topology version="2.0">
  <object type="Machine" os_index="0">
    <info name="Backend" value="Linux"/>
    <object type="Package" os_index="0">
      <object type="Group">
        <object type="NUMANode" os_index="0"/>
        <object type="NUMANode" os_index="2"/>
        <object type="L3Cache">
          <object type="L2Cache">
            <object type="L1Cache">
              <object type="Core" os_index="0">
                <object type="PU" os_index="0"/>
                <object type="PU" os_index="4"/>
              </object>
            </object>
          </object>
        </object>
      </object>
      <object type="Group">
        <object type="MemCache"><object type="NUMANode" os_index="1"/></object>
        <object type="Core" os_index="1"><object type="PU" os_index="1"/></object>
        <object type="Bridge"><object type="PCIDev"/></object>
      </object>
    </object>
  </object>
</topology>
)";

std::string wrong(std::string text) { return wrong_with(read_node_tree, std::move(text)); }

std::string with(const std::string& from, const std::string& to) {
  std::string text = node;
  return text.replace(text.find(from), from.size(), to);
}

TEST(NodeTreeXml, PutsDomainsBetweenPackagesAndCores) {
  const topology::node_place tree = read_node_tree(source_text("node.xml", node));
  EXPECT_EQ(os_indices(tree, topology::place_kind::processing_unit),
            (std::vector<std::uint32_t>{0, 4, 1}));
  ASSERT_EQ(tree.inside.size(), 1U);
  const topology::node_place& package = tree.inside[0];
  EXPECT_EQ(package.kind, topology::place_kind::package);
  ASSERT_EQ(package.inside.size(), 3U);
  EXPECT_EQ(os_indices(package, topology::place_kind::numa_domain),
            (std::vector<std::uint32_t>{0, 2, 1}));
  EXPECT_EQ(package.inside[0].inside[0].kind, topology::place_kind::l3_cache);
  EXPECT_EQ(package.inside[0].inside[0].inside[0].inside[0].kind, topology::place_kind::core);
  EXPECT_TRUE(package.inside[1].inside.empty()) << "memory without cores of its own";
  EXPECT_EQ(package.inside[2].inside[0].kind, topology::place_kind::core)
      << "memory behind a cache";
}

TEST(NodeTreeXml, GivesTheShapeOfTheNode) {
  EXPECT_EQ(shape_of(read_node_tree(source_text("node.xml", node))),
            (std::vector<std::uint32_t>{2}))
      << "one core in each of two domains";
}

const std::string newer = R"(<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE topology SYSTEM "hwloc2.dtd">
<topology version="3.0">
  <object type="Machine" os_index="0" cpuset="0x00000003" gp_index="1" id="obj1">
    <object type="NUMANode" os_index="4" local_memory="1024" subtype="CXL-DRAM"/>
    <object type="Package" os_index="0">
      <object type="NUMANode" os_index="0" local_memory="1024" subtype="DRAM"/>
      <object type="Die" os_index="0">
        <object type="Core" os_index="0" cpukind="0"><object type="PU" os_index="0"/></object>
        <object type="Core" os_index="1" cpukind="1"><object type="PU" os_index="1"/></object>
      </object>
      <object type="Bridge" bridge_type="0-1" depth="0">
        <object type="PCIDev" pci_busid="00000000:01:00.0">
          <object type="OSDev" name="cxi0" osdev_types="0x00000004"/>
        </object>
      </object>
    </object>
  </object>
  <support name="discovery.pu"/>
  <info name="hwlocVersion" value="3.0.0"/>
  <memtier kinds="1" nodeset="0x00000001"/>
</topology>
)";

TEST(NodeTreeXml, IsReadOfHwloc3) {
  const topology::node_place tree = read_node_tree(source_text("node.xml", newer));
  EXPECT_EQ(os_indices(tree, topology::place_kind::processing_unit),
            (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(os_indices(tree, topology::place_kind::numa_domain),
            (std::vector<std::uint32_t>{4, 0}));
  EXPECT_EQ(shape_of(tree), (std::vector<std::uint32_t>{2}));
  EXPECT_NE(wrong("<topology version=\"4.0\"/>"), "no error");
}

topology::node_place tree_of(std::vector<std::pair<topology::place_kind, unsigned>> levels,
                             topology::place_kind root) {
  topology::node_place place{.kind = root};
  if (levels.empty()) return place;
  const auto [kind, number] = levels.front();
  levels.erase(levels.begin());
  place.inside.assign(number, tree_of(levels, kind));
  return place;
}

TEST(NodeTree, HasAShapeOfTheLevelsThatTellCoresApart) {
  using enum topology::place_kind;
  using shape = std::vector<std::uint32_t>;
  EXPECT_EQ(shape_of(tree_of({{package, 2}, {numa_domain, 4}, {l3_cache, 1}, {core, 8}}, node)),
            (shape{2, 4, 8}));
  EXPECT_EQ(shape_of(tree_of({{numa_domain, 2}, {package, 2}, {core, 1}}, node)), (shape{2, 2}));
  EXPECT_EQ(shape_of(tree_of({{core, 1}, {processing_unit, 2}}, node)), (shape{1}));
  topology::node_place uneven = tree_of({{package, 2}, {l2_cache, 2}, {core, 3}}, node);
  uneven.inside[1].inside.push_back(uneven.inside[1].inside[0]);
  EXPECT_EQ(shape_of(uneven), (shape{5, 3})) << "packages of 6 and 9 cores are no level";
}

std::string units_alone(const std::string& allowed) {
  std::string text = "<topology version=\"2.0\"><object type=\"Machine\" " + allowed + ">";
  for (const char* package : {"01", "23"}) {
    text += "<object type=\"Package\">";
    for (const char* unit = package; *unit != 0; ++unit) {
      text += std::string("<object type=\"PU\" os_index=\"") + *unit + "\"/>";
    }
    text += "</object>";
  }
  return text + "</object></topology>";
}

TEST(NodeTreeXml, MakesACoreOfAUnitOutsideOfCores) {
  const auto shape = [](const std::string& allowed) {
    return topology::shape_of(read_node_tree(source_text("node.xml", units_alone(allowed))));
  };
  EXPECT_EQ(shape(""), (std::vector<std::uint32_t>{2, 2}));
  EXPECT_EQ(shape("allowed_cpuset=\"0x0000000f\""), (std::vector<std::uint32_t>{2, 2}));
  EXPECT_EQ(shape("allowed_cpuset=\"0x0000000c\""), (std::vector<std::uint32_t>{2}))
      << "the package without allowed units is left out";
  EXPECT_EQ(shape("allowed_cpuset=\"0xf...f,0xfffffffe\""), (std::vector<std::uint32_t>{3}));
  EXPECT_EQ(shape("allowed_cpuset=\"0xffffffff,,0x1\""), (std::vector<std::uint32_t>{1}));
  EXPECT_NE(wrong(units_alone("allowed_cpuset=\"0x10\"")).find("allows no processing unit"),
            std::string::npos);
  EXPECT_NE(wrong(units_alone("allowed_cpuset=\"0xf,,\"")).find("allows no processing unit"),
            std::string::npos)
      << "an empty word is 0";
  EXPECT_NE(wrong(units_alone("allowed_cpuset=\"0xfg\"")).find("not a set of processing units"),
            std::string::npos);
}

TEST(NodeTreeXml, NamesTheLineThatIsWrong) {
  EXPECT_NE(wrong(with("<object type=\"PU\" os_index=\"4\"/>", "<object type=\"PU\"/>"))
                .find("file:15: a processing unit has no os_index"),
            std::string::npos);
  EXPECT_NE(wrong(with("PU\" os_index=\"1\"", "PU\" os_index=\"0\""))
                .find("file:23: duplicate processing unit 0, first defined in line 14"),
            std::string::npos);
  EXPECT_NE(wrong(with("os_index=\"4\"", "os_index=\"99999999999\"")).find("is not a number"),
            std::string::npos);
  EXPECT_NE(wrong(with("type=\"L2Cache\"", "")).find("file:11: an object has no type"),
            std::string::npos);
  EXPECT_NE(wrong(node.substr(0, node.size() / 2)).find("the XML is invalid"), std::string::npos);
  EXPECT_NE(wrong("<platform/>").find("not XML of hwloc"), std::string::npos);
  EXPECT_NE(wrong("\n<topology version=\"1.0\"/>")
                .find("file:2: the version of the XML is not that of hwloc 2 or 3"),
            std::string::npos);
  EXPECT_NE(wrong("<topology version=\"2.0\"/>").find("no object"), std::string::npos);
  EXPECT_NE(wrong("<topology version=\"2.0\"><object type=\"Machine\"/></topology>")
                .find("no processing unit"),
            std::string::npos);
  EXPECT_NE(wrong(""), "no error");
  std::string deep = "<topology version=\"2.0\">";
  for (int i = 0; i < 70; ++i) deep += "<object type=\"Group\">";
  for (int i = 0; i < 70; ++i) deep += "</object>";
  EXPECT_NE(wrong(deep + "</topology>").find("too deeply"), std::string::npos);
}

}  // namespace
}  // namespace acre::machines
