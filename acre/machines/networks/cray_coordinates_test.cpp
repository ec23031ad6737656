// SPDX-License-Identifier: BSD-3-Clause
#include <acre/machines/networks/cray_coordinates.hpp>

#include <acre/machines/networks/wrong_text.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

namespace acre::machines {
namespace {

std::string wrong(std::string text) { return wrong_with(read_processor_table, std::move(text)); }

std::string wrong_table(std::string text) {
  return wrong_with(read_coordinate_table, std::move(text));
}

topology::node_t number_of(const described_network& machine, std::string_view name) {
  const auto found = std::ranges::find(machine.node_names, name);
  EXPECT_NE(found, machine.node_names.end()) << name;
  return static_cast<topology::node_t>(found - machine.node_names.begin());
}

constexpr std::string_view heading =
    "#\n# This file lists tables currently in the system database,\n#\n";

/// As xtdb2proc writes it, of the node `cpu` on a blade of the first cabinet.
std::string record(unsigned id, unsigned slot, unsigned cpu, std::string_view at) {
  return "cpu=" + std::to_string(cpu) + ",slot=" + std::to_string(slot) +
         ",cage=0,cabinet=null,cab_position=0,cab_row=0," + std::string(at) +
         ",process_slots=4,process_slots_free=4,processor_status='up',processor_type='compute',"
         "alloc_mode='batch',processor_id=" +
         std::to_string(id) + ",od_allocator_id=0,next_red_black_switch=null,processor_spec=null\n";
}

std::string two_blades() {
  std::string text(heading);
  for (unsigned slot = 0; slot < 2; ++slot) {
    for (unsigned cpu = 0; cpu < 4; ++cpu) {
      text += record(
          cpu < 2 ? 2 * slot + cpu : 12 + cpu - 2 * slot, slot, cpu,
          "x_coord=0,y_coord=" + std::to_string(cpu / 2) + ",z_coord=" + std::to_string(slot));
    }
  }
  return text;
}

TEST(ProcessorTable, MakesTheTorusOfAnXeWithTwoNodesPerGemini) {
  const auto machine = read_processor_table(source_text("file", two_blades()));
  EXPECT_EQ(machine.network->name(), "torus:1x2x2*2@9.4,4.7,9.4");
  EXPECT_EQ(machine.node_names,
            (std::vector<std::string>{"nid00000", "nid00001", "nid00014", "nid00015", "nid00002",
                                      "nid00003", "nid00012", "nid00013"}));
  const topology::network& net = *machine.network;
  EXPECT_EQ(net.distance(0, 1), 0U);
  EXPECT_EQ(net.distance(number_of(machine, "nid00001"), number_of(machine, "nid00013")), 2U);
  EXPECT_DOUBLE_EQ(net.bandwidth(0, 2), 4.7e9) << "by y";
  EXPECT_DOUBLE_EQ(net.bandwidth(0, 4), 9.4e9) << "by z";
  ASSERT_EQ(machine.warnings.size(), 1U);
  EXPECT_EQ(machine.warnings.front(),
            "file:4: coordinates do not describe cables: a torus of the largest coordinates is "
            "assumed, with 9.4 GB/s in x and z, 4.7 in y");
}

TEST(ProcessorTable, LeavesPositionsOfMissingNodesWithoutName) {
  const auto machine =
      read_processor_table(source_text("file", record(7, 0, 0, "x_coord=1,y_coord=0,z_coord=0")));
  EXPECT_EQ(machine.network->name(), "torus:2x1x1@9.4,4.7,9.4");
  EXPECT_EQ(machine.node_names, (std::vector<std::string>{"", "nid00007"}));
}

TEST(ProcessorTable, OfAnXcMakesItsDragonfly) {
  std::string text;
  for (unsigned cpu = 0; cpu < 4; ++cpu) {
    text += record(8 + cpu, 2, cpu, "x_coord=0,y_coord=0,z_coord=2");
  }
  const auto machine = read_processor_table(source_text("file", text));
  EXPECT_EQ(machine.network->name(), "dragonfly:1x1x3x4@10,5.25,15.75,18.8");
  EXPECT_EQ(number_of(machine, "nid00009"), 9U);
  EXPECT_EQ(
      read_processor_table(source_text("file", record(60, 15, 0, "x_coord=0,y_coord=0,z_coord=15")))
          .network->name(),
      "dragonfly:1x1x16x1@10,5.25,15.75,18.8");
}

TEST(ProcessorTable, NamesTheLineThatIsTruncated) {
  const std::string whole = two_blades();
  const std::string again = "write the file again, with xtdb2proc -f FILE";
  for (const std::string_view end : {"next_red", "od_allocator_id", "z_coord=1,process_slots=4"}) {
    const std::string cut = whole.substr(0, whole.rfind(end));
    const std::string said = wrong(cut);
    EXPECT_NE(said.find("file:11: the record has "), std::string::npos) << said;
    EXPECT_NE(said.find(" fields, the first one 18"), std::string::npos) << said;
    EXPECT_NE(said.find(again), std::string::npos) << said;
  }
  EXPECT_NE(wrong(whole.substr(0, whole.rfind("=null")))
                .find("file:11: the field "
                      "'processor_spec' has no value"),
            std::string::npos);
  const std::string first = record(1, 0, 0, "x_coord=0,y_coord=0,z_coord=0");
  EXPECT_NE(wrong(first.substr(0, first.find(",z_coord")))
                .find("file:1: the record has no field "
                      "'z_coord'"),
            std::string::npos);
  EXPECT_NE(wrong(std::string(heading)).find("contains no node"), std::string::npos);
}

TEST(ProcessorTable, NamesTheFieldThatIsWrong) {
  EXPECT_NE(wrong(record(1, 0, 0, "x_coord=null,y_coord=0,z_coord=0"))
                .find("file:1: 'x_coord' has the value 'null', not a number"),
            std::string::npos);
  EXPECT_NE(wrong(record(1, 0, 0, "x_coord=65536,y_coord=0,z_coord=0"))
                .find("file:1: '65536' is not a coordinate"),
            std::string::npos);
  EXPECT_NE(wrong(record(1, 0, 0, "x_coord=60000,y_coord=60000,z_coord=0")).find("2^20 nodes"),
            std::string::npos);
  const std::string one = record(1, 0, 0, "x_coord=0,y_coord=0,z_coord=0");
  EXPECT_NE(wrong(one + one).find("file:2: duplicate node 'nid00001', first defined in line 1"),
            std::string::npos);
  EXPECT_NE(wrong(one + record(2, 0, 1, "x_coord=0,y_coord=0,z_coord=0") +
                  record(3, 1, 0, "x_coord=0,y_coord=0,z_coord=0"))
                .find("file:3: three nodes have the coordinates (0,0,0)"),
            std::string::npos);
}

TEST(CoordinateTable, IsReadWithAndWithoutAHeading) {
  const auto machine = read_coordinate_table(source_text("file",
                                                         "NID NODENAME    TYPE    CORES X Y Z\n"
                                                         "  1 c0-0c0s0n1  compute    32 0 0 0\n"
                                                         " 30 c0-0c0s0n2  compute    32 0 1 0\n"));
  EXPECT_EQ(machine.network->name(), "torus:1x2x1@9.4,4.7,9.4");
  EXPECT_EQ(machine.node_names, (std::vector<std::string>{"nid00001", "nid00030"}));
  const auto plain = read_coordinate_table(
      source_text("file", "nid00002 0 0 0\nnid00003 c0-0c0s0n1 0 0 0\nnid00028 2 0 0\n"));
  EXPECT_EQ(plain.network->name(), "torus:3x1x1*2@9.4,4.7,9.4");
  EXPECT_EQ(number_of(plain, "nid00028"), 4U);
}

TEST(CoordinateTable, OfAnXcMakesItsDragonfly) {
  const auto machine =
      read_coordinate_table(source_text("file",
                                        "  NID   NODENAME      TYPE   CORES   X  Y  Z\n"
                                        " 2305  c0-1c0s0n1    compute    68   6  0  0\n"
                                        " 2306  c0-1c0s0n2    compute    68   6  0  0\n"));
  EXPECT_EQ(machine.network->name(), "dragonfly:1x1x1x3@10,5.25,15.75,18.8");
}

TEST(CoordinateTable, NamesTheLineThatIsWrong) {
  EXPECT_NE(wrong_table("nid00001 0 0 0\nnid00002 0 0\n")
                .find("file:2: the coordinates of the node are missing in 'nid00002 0 0'"),
            std::string::npos);
  EXPECT_NE(wrong_table("NID X Y Z\n1 0 0\n").find("file:2: the coordinates"), std::string::npos);
  EXPECT_NE(wrong_table("nid00001 0 0 0\nnid00002 0 y 0\n").find("file:2: 'y' is not a coordinate"),
            std::string::npos);
  EXPECT_NE(wrong_table("NID X Y Z\n").find("contains no node"), std::string::npos);
}

}  // namespace
}  // namespace acre::machines
