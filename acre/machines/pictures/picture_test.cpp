// SPDX-License-Identifier: BSD-3-Clause
#include <acre/machines/pictures/picture.hpp>

#include <acre/base/error.hpp>
#include <acre/topology/specification.hpp>

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <pugixml.hpp>
#include <unistd.h>

namespace acre::machines {
namespace {

using topology::allocation;

std::string drawn(const char* network, const char* communication_name, std::uint32_t nodes,
                  std::uint32_t slots, std::span<const std::string> node_names = {}) {
  const auto net = topology::make_network(network);
  std::vector<allocation::share> shares;
  for (topology::node_t node = 0; node < nodes; ++node) {
    shares.push_back({.node = node, .slots = slots});
  }
  const allocation job(*net, shares);
  const mapping::communication what = mapping::make_communication(communication_name);
  const mapping::problem given{what, {*net, job}};
  const mapping::placement before = mapping::packed(given);
  const mapping::placement after = mapping::round_robin(given);
  const mapping::metrics measured = mapping::measure(given.where, what.traffic, before);
  const std::string path =
      testing::TempDir() + "acre-picture-" + std::to_string(::getpid()) + ".svg";
  draw(given, {"packed", before, measured},
       {"round robin", after, mapping::measure(given.where, what.traffic, after)}, path,
       node_names);
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  std::remove(path.c_str());
  pugi::xml_document document;
  EXPECT_TRUE(document.load_string(text.c_str())) << network;
  EXPECT_STREQ(document.document_element().name(), "svg");
  return text;
}

std::size_t count(const std::string& text, std::string_view word) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos; ++at) ++found;
  return found;
}

class PictureOf : public testing::TestWithParam<const char*> {};

TEST_P(PictureOf, IsWellFormedAndShowsSomething) {
  const std::string text = drawn(GetParam(), "cart:8x4", 8, 4);
  EXPECT_GT(count(text, "<path"), 100U);
  EXPECT_EQ(count(text, "nan"), 0U);
  EXPECT_EQ(count(text, "inf"), 0U);
}
INSTANTIATE_TEST_SUITE_P(Networks, PictureOf,
                         testing::Values("torus:4x4x3", "mesh:4x4", "torus:8", "hypercube:4",
                                         "torus:2x2x2*2", "dragonfly:2x2x2x2", "tree:2x2x4",
                                         "fat-tree:2;4,4;1,2;1,2"));

TEST(Picture, ShowsJobsWithoutTraffic) {
  EXPECT_EQ(count(drawn("torus:2x2", "cart:1", 1, 1), "nan"), 0U);
}

TEST(Picture, HasTheNamesOfNodesWhereAllOfThemCanBeRead) {
  const auto letters = [](const char* network, std::uint32_t nodes, const std::string& name) {
    const std::vector<std::string> names(nodes, name);
    return count(drawn(network, "cart:4", nodes, 1, names), "<use ") -
           count(drawn(network, "cart:4", nodes, 1), "<use ");
  };
  EXPECT_EQ(letters("torus:2x2", 4, "n07"), 2U * 4 * 3) << "on both sides";
  EXPECT_EQ(letters("torus:2x2", 4, "node-with-a-long-name"), 0U);
  EXPECT_EQ(letters("torus:64x64", 4, "n07"), 0U) << "of too small nodes";
}

TEST(Picture, ShowsMachinesWithMoreNodesThanThePageHasPoints) {
  const std::string text = drawn("torus:64x32x16", "cart:64x64", 512, 8);
  EXPECT_LT(text.size(), 8'000'000U);
}

TEST(Picture, IsOfAKindThatItsNameSays) {
  const auto net = topology::make_network("mesh:2");
  const allocation job = allocation::whole(*net, 1);
  const mapping::communication what = mapping::make_communication("cart:2");
  const mapping::problem given{what, {*net, job}};
  const mapping::placement places = mapping::packed(given);
  const mapping::metrics measured = mapping::measure(given.where, what.traffic, places);
  const pictured same{"packed", places, measured};
  EXPECT_THROW(draw(given, same, same, "picture.gif"), error);
  EXPECT_THROW(draw(given, same, same, "/nowhere/at all.svg"), error);
  EXPECT_THROW(draw(given, same, same, "/nowhere/at all.png"), error);
}

}  // namespace
}  // namespace acre::machines
