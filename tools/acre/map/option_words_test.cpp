// SPDX-License-Identifier: BSD-3-Clause
#include "option_words.hpp"

#include "command_line.hpp"
#include <acre/base/error.hpp>

#include <gtest/gtest.h>

#include <string>
#include <variant>
#include <vector>

namespace acre::tool {
namespace {

using numbers = std::vector<std::uint32_t>;

TEST(OptionWords, NameThePlacesOfANode) {
  EXPECT_EQ(std::get<node_shape>(places_from("2x4x8")), (numbers{2, 4, 8}));
  EXPECT_TRUE(std::holds_alternative<this_node>(places_from("here")));
  EXPECT_EQ(std::get<node_file>(places_from("node.xml")).path, "node.xml");
  for (const char* wrong : {"2x", "2x0", "99999999999"}) {
    EXPECT_THROW(static_cast<void>(places_from(wrong)), error) << wrong;
  }
}

TEST(OptionWords, NameNodesOrTheJobManager) {
  EXPECT_TRUE(std::holds_alternative<nodes_of_this_job>(nodes_from("job")));
  EXPECT_EQ(std::get<listed_nodes>(nodes_from("0-3,7")).list, "0-3,7");
}

TEST(OptionWords, NameAGrid) {
  EXPECT_EQ(grid_from("64x32x32"), (numbers{64, 32, 32}));
  EXPECT_THROW(static_cast<void>(grid_from("64x")), error);
}

TEST(OptionWords, NameAnAlgorithm) {
  EXPECT_EQ(algorithm_from("Blocks, Hilbert").typed_name, "blocks-hilbert");
  EXPECT_FALSE(algorithm_from("hilbert").is_refined);
  EXPECT_EQ(algorithm_from("hilbert-refined").typed_name, "hilbert");
  EXPECT_TRUE(algorithm_from("hilbert-refined").is_refined);
}

TEST(OptionWords, NameAGoal) {
  EXPECT_EQ(goal_from("time").objective, mapping::objective::time);
  EXPECT_EQ(goal_from("hop-bytes").objective, mapping::objective::cost);
  EXPECT_TRUE(goal_from("hop-bytes").level_costs.empty());
  EXPECT_EQ(goal_from("1:10:100").level_costs, (std::vector<double>{1, 10, 100}));
  for (const char* wrong : {"bytes", "1:", "1:x", "1:1e13", "1:-2"}) {
    EXPECT_THROW(static_cast<void>(goal_from(wrong)), error) << wrong;
  }
}

TEST(OptionWords, AreRefusedByTheOptionThatHasThem) {
  command_line::command acre("", "acre");
  map_options options;
  add_map(acre, options);
  const auto why = acre.parse("map -t torus:4x4 -p cart:8 --objective 1:x");
  ASSERT_TRUE(why);
  EXPECT_EQ(why->status, 2);
  EXPECT_TRUE(why->problem.starts_with("--objective: '1:x': expected a cost at position 3"))
      << why->problem;
}

TEST(OptionWords, MakeOneSourceOfTrafficAndOneOrder) {
  command_line::command acre("", "acre");
  map_options options;
  add_map(acre, options);
  ASSERT_FALSE(
      acre.parse("map -t torus:4x4 -m a.mtx --grid 4x2 --latency 1 --messages b.mtx "
                 "--start order.txt"));
  const auto& file = std::get<traffic_file>(options.traffic);
  EXPECT_EQ(file.matrix, "a.mtx");
  EXPECT_EQ(file.messages, "b.mtx");
  EXPECT_EQ(file.grid, (numbers{4, 2}));
  EXPECT_EQ(std::get<improved_order>(options.order).file, "order.txt");
}

}  // namespace
}  // namespace acre::tool
