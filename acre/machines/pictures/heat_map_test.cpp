// SPDX-License-Identifier: BSD-3-Clause
#include <acre/machines/pictures/heat_map.hpp>

#include <acre/base/error.hpp>
#include <acre/machines/pictures/colour.hpp>

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <numeric>
#include <pugixml.hpp>
#include <string>
#include <unistd.h>

namespace acre::machines {
namespace {

std::string heat_map_of(const mapping::communication& what) {
  const std::string path = testing::TempDir() + "acre-heat-" + std::to_string(::getpid()) + ".svg";
  draw_heat_map(what, path);
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  std::remove(path.c_str());
  pugi::xml_document document;
  EXPECT_TRUE(document.load_string(text.c_str()));
  EXPECT_EQ(text.find("nan"), std::string::npos);
  EXPECT_EQ(text.find("inf"), std::string::npos);
  return text;
}

TEST(HeatMap, AddsUpRanksThatFollowEachOther) {
  const std::vector<mapping::traffic::message> messages{{0, 1, 1}, {0, 2, 2}, {1, 6, 4}, {6, 5, 8}};
  const mapping::traffic flows(7, messages);
  const binned_traffic all = binned(flows, 7);
  EXPECT_EQ(all.ranks_a_bin, 1U);
  EXPECT_EQ(all.from_to(6, 5), 8);
  const binned_traffic few = binned(flows, 4);
  EXPECT_EQ(few.ranks_a_bin, 2U);
  EXPECT_EQ(few.bins, 4U);
  EXPECT_EQ(few.from_to(0, 0), 1);
  EXPECT_EQ(few.from_to(0, 1), 2);
  EXPECT_EQ(few.from_to(0, 3), 4);
  EXPECT_EQ(few.from_to(3, 2), 8);
  EXPECT_EQ(binned(flows, 6).bins, 4U) << "seven ranks make no six equal bins";
}

TEST(HeatMap, LosesNoByteOfLargeJobs) {
  const mapping::communication what = mapping::make_communication("cart:100x41@7");
  const binned_traffic shown = binned(what.traffic, 1000);
  EXPECT_LE(shown.bins, 1000U);
  EXPECT_DOUBLE_EQ(std::accumulate(shown.bytes.begin(), shown.bytes.end(), 0.0),
                   what.traffic.total());
}

TEST(HeatMap, IsDrawnForAnyTraffic) {
  for (const char* each : {"cart:1", "cart:2", "cart:8x8@1e9,3", "rows:3x7", "cart:64x64"}) {
    EXPECT_GT(heat_map_of(mapping::make_communication(each)).size(), 1000U) << each;
  }
  const std::vector<mapping::traffic::message> far_apart{{0, 1, 1e-90}, {1, 2, 1e90}};
  heat_map_of(mapping::without_grid(
      "a name that is far too long for the page that it is to stand on, and so "
      "it is cut off somewhere before its end",
      {3, far_apart}));
}

TEST(HeatMap, TellsMoreBytesByLessLight) {
  double before = 2;
  for (double share = 0.1; share <= 1; share += 0.1) {
    const colour ink = load_colour(share);
    const double light = 0.2126 * ink.red + 0.7152 * ink.green + 0.0722 * ink.blue;
    EXPECT_LT(light, before);
    before = light;
  }
}

TEST(HeatMap, IsOfAKindThatItsNameSays) {
  const mapping::communication what = mapping::make_communication("cart:4");
  EXPECT_THROW(draw_heat_map(what, "picture.gif"), error);
  EXPECT_THROW(draw_heat_map(what, "/nowhere/at all.png"), error);
}

}  // namespace
}  // namespace acre::machines
