// SPDX-License-Identifier: BSD-3-Clause
#include <acre/machines/pictures/colour.hpp>

#include <gtest/gtest.h>

#include <array>
#include <set>

namespace acre::machines {
namespace {

TEST(Colour, IsOneThatScreensHave) {
  for (int lightness = 0; lightness <= 10; ++lightness) {
    for (int hue = 0; hue < 12; ++hue) {
      const colour ink = oklch(lightness / 10.0, 0.25, hue / 12.0);
      for (const double part : {ink.red, ink.green, ink.blue}) {
        EXPECT_GE(part, 0);
        EXPECT_LE(part, 1);
      }
    }
  }
}

TEST(Colour, TellsThePlacesOfAGridApart) {
  const std::array<std::uint32_t, 3> grid{8, 5, 3};
  const std::vector<colour> colours = rank_colours(grid);
  EXPECT_EQ(colours.size(), 120U);
  EXPECT_EQ(std::set<colour>(colours.begin(), colours.end()).size(), 120U);
}

TEST(Colour, ShowsTheLongestDimensions) {
  const std::array<std::uint32_t, 5> grid{2, 1, 9, 3, 4};
  EXPECT_EQ(coloured_dimensions(grid), (std::vector<std::size_t>{2, 4, 3}));
  const std::array<std::uint32_t, 2> line{1, 6};
  EXPECT_EQ(coloured_dimensions(line), std::vector<std::size_t>{1});
  EXPECT_EQ(rank_colours(line).size(), 6U);
}

TEST(Colour, OfLoadsGetsDarker) {
  double before = 3;
  for (int step = 0; step <= 10; ++step) {
    const colour ink = load_colour(step / 10.0);
    const double light = ink.red + ink.green + ink.blue;
    EXPECT_LT(light, before);
    before = light;
  }
}

}  // namespace
}  // namespace acre::machines
