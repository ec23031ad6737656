// SPDX-License-Identifier: BSD-3-Clause
#include <acre/mapping/cp2k_heuristic.hpp>

#include <acre/base/error.hpp>
#include <acre/mapping/automatic.hpp>
#include <acre/topology/specification.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>

namespace acre::mapping {
namespace {

using topology::allocation;
using topology::make_network;

struct exchange {
  exchange(const std::string& word, std::uint32_t slots, const std::string& pattern)
      : network(make_network(word)),
        all(allocation::whole(*network, slots)),
        what(make_communication(pattern)) {}

  [[nodiscard]] problem given() const { return {what, {*network, all}}; }
  [[nodiscard]] double sum(const placement& places) const {
    return hop_bytes({*network, all}, what.traffic, places);
  }
  [[nodiscard]] std::array<double, 3> directions() const {
    return {sum(cp2k_direction(given(), 0)), sum(cp2k_direction(given(), 1)),
            sum(cp2k_direction(given(), 2))};
  }

  std::unique_ptr<const topology::network> network;
  allocation all;
  communication what;
};

/// 1,024 ranks on 32 nodes of 32 cores, as on the Cray XE6.
TEST(Cp2kHeuristic, HasTheHopBytesOfThePaperInEachDirection) {
  const exchange x_short("torus:2x4x4", 32, "cannon:32x32");
  EXPECT_EQ(x_short.directions(), (std::array<double, 3>{1504, 1376, 1376}));
  const exchange y_short("torus:4x2x4", 32, "cannon:32x32");
  EXPECT_EQ(y_short.directions(), (std::array<double, 3>{1376, 1504, 1504}));
  const exchange z_short("torus:4x4x2", 32, "cannon:32x32");
  EXPECT_EQ(z_short.directions(), (std::array<double, 3>{1504, 1504, 1504}));
  EXPECT_EQ(z_short.sum(packed(z_short.given())), 2688);
}

TEST(Cp2kHeuristic, PrefersXUnlessAnotherDirectionHasFarFewerHopBytes) {
  const exchange x_short("torus:2x4x4", 32, "cannon:32x32");
  EXPECT_EQ(x_short.sum(cp2k_heuristic(x_short.given())), 1504);
  const exchange x_long("torus:4x2x2", 4, "cannon:8x8");
  EXPECT_EQ(x_long.directions(), (std::array<double, 3>{272, 224, 224}));
  EXPECT_EQ(x_long.sum(cp2k_heuristic(x_long.given())), 224);
}

TEST(Cp2kHeuristic, KeepsTheDefaultOrderIfThatIsNoWorse) {
  const exchange ring("torus:16", 2, "cart:32");
  EXPECT_EQ(cp2k_heuristic(ring.given()), packed(ring.given()));
  const exchange mesh("mesh:8x8", 1, "cart:8ox8o");
  ASSERT_GT(mesh.sum(cp2k_direction(mesh.given(), 0)), mesh.sum(packed(mesh.given())));
  EXPECT_EQ(cp2k_heuristic(mesh.given()), packed(mesh.given()));
}

TEST(Cp2kHeuristic, FillsNodesByOneCoordinateAndThenInTheOrderOfTheAllocation) {
  const exchange whole("torus:2x2x2", 1, "cart:8");
  // Node i is (i % 2, i / 2 % 2, i / 4); a Hilbert curve through one dimension is the row.
  EXPECT_EQ(cp2k_direction(whole.given(), 0), (placement{0, 2, 4, 6, 1, 3, 5, 7}));
  EXPECT_EQ(cp2k_direction(whole.given(), 1), (placement{0, 1, 4, 5, 2, 3, 6, 7}));
  EXPECT_EQ(cp2k_direction(whole.given(), 2), packed(whole.given()));
  const allocation shuffled(*whole.network, {{.node = 5, .slots = 1},
                                             {.node = 4, .slots = 1},
                                             {.node = 1, .slots = 1},
                                             {.node = 0, .slots = 1}});
  const communication four = make_communication("cart:4");
  const machine some{*whole.network, shuffled};
  EXPECT_EQ(cp2k_direction({four, some}, 0), (placement{1, 3, 0, 2}));
}

TEST(Cp2kHeuristic, RefusesAMachineWithoutTheAxis) {
  const exchange flat("torus:4x4", 4, "cannon:8x8");
  EXPECT_THROW(static_cast<void>(cp2k_direction(flat.given(), 2)), acre::error);
  const exchange tree("tree:4x4", 4, "cannon:8x8");
  EXPECT_THROW(static_cast<void>(cp2k_heuristic(tree.given())), acre::error);
}

TEST(Cp2kHeuristic, IsNeverTheChoiceWhereAnotherIsFaster) {
  for (const char* word : {"torus:4x4x2", "torus:2x4x4", "torus:4x4x4", "torus:4x4x2@9.4,4.7,15"}) {
    const exchange each(word, 32, "cannon:32x32");
    search_options how{.refined = 0};
    const auto found = search(each.given(), how);
    const auto heuristic = std::ranges::find(found, "hilbert, as CP2K", &candidate::name);
    ASSERT_NE(heuristic, found.end()) << word;
    EXPECT_LT(found.front().measured.time, 0.9 * heuristic->measured.time) << word;
    EXPECT_FALSE(found.front().measured.slower_than(default_order(found).measured)) << word;
    how.only = {"hilbert-as-cp2k-y"};
    const auto asked = search(each.given(), how);
    EXPECT_NE(std::ranges::find(asked, "hilbert, as CP2K, y", &candidate::name), asked.end());
  }
}

}  // namespace
}  // namespace acre::mapping
