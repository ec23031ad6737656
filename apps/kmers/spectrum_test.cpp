// SPDX-License-Identifier: BSD-3-Clause
#include <apps/kmers/spectrum.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace acre::kmers {
namespace {

histogram hill(double depth, double genome, double errors) {
  histogram counts;
  for (std::uint64_t c = 1; c < 4 * static_cast<std::uint64_t>(depth); ++c) {
    const double x = static_cast<double>(c);
    const double value =
        errors * std::pow(0.01, x - 1) + genome / std::sqrt(2 * 3.14159 * depth) *
                                             std::exp(-(x - depth) * (x - depth) / (2 * depth));
    counts.add({c, static_cast<std::uint64_t>(value)});
  }
  return counts;
}

std::vector<std::string> lines_of(const std::string& picture) {
  std::vector<std::string> lines;
  std::istringstream in(picture);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::size_t width(const std::string& line) {
  return static_cast<std::size_t>(std::ranges::count_if(
      line, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

TEST(Spectrum, FindsTheHill) {
  for (const double depth : {8.0, 21.0, 64.0, 300.0}) {
    const auto peak = spectrum_peak(hill(depth, 1e6, 2e6));
    ASSERT_TRUE(peak.has_value()) << depth;
    EXPECT_NEAR(static_cast<double>(*peak), depth, depth / 8 + 1);
  }
}

TEST(Spectrum, FindsNoHillInASlope) {
  histogram slope;
  for (std::uint64_t c = 1; c < 300; ++c) slope.add({c, 1000000 / (c * c) + 1});
  EXPECT_FALSE(spectrum_peak(slope).has_value());
  EXPECT_FALSE(spectrum_peak(histogram{}).has_value());
}

TEST(Spectrum, CutsTheErrorsOffAndShowsTheHill) {
  const auto lines = lines_of(
      draw_spectrum(hill(20, 1e6, 5e6), {.columns = 80, .rows = 10, .letters = glyphs::ascii}));
  ASSERT_EQ(lines.size(), 13U);
  EXPECT_NE(lines[0].find("peak at 20"), std::string::npos) << lines[0];
  EXPECT_NE(lines[0].find("to 5.0M at 1"), std::string::npos) << lines[0];
  EXPECT_EQ(lines[1].substr(8), "^");
  // One bar per count: the peak is at the third row's bars.
  const auto top = lines[3].find('#', 10);
  ASSERT_NE(top, std::string::npos);
  EXPECT_NEAR(static_cast<double>(top - 7), 20.0, 3.0);
}

TEST(Spectrum, UsesALogarithmWhereThereIsNoHill) {
  histogram slope;
  for (std::uint64_t c = 1; c < 300; ++c) slope.add({c, 1000000 / (c * c) + 1});
  const auto picture = draw_spectrum(slope, {});
  EXPECT_NE(picture.find("(logarithmic)"), std::string::npos);
}

TEST(Spectrum, DrawsNothingOfNothing) { EXPECT_EQ(draw_spectrum(histogram{}, {}), ""); }

TEST(Spectrum, StaysWithinItsColumnsAndLetters) {
  const auto seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  for (unsigned round = 0; round < 60; ++round) {
    histogram counts;
    if (round % 3 == 0) counts = hill(5 + static_cast<double>(random() % 500), 1e5, 1e6);
    for (auto lines = random() % 50; lines > 0; --lines) {
      counts.add({1 + random() % (std::uint64_t{1} << random() % 40), 1 + random() % 1000000});
    }
    const picture_style style{.columns = static_cast<unsigned>(30 + random() % 200),
                              .rows = static_cast<unsigned>(1 + random() % 30),
                              .letters = round % 2 == 0 ? glyphs::ascii : glyphs::unicode};
    const auto picture = draw_spectrum(counts, style);
    const auto lines = lines_of(picture);
    if (counts.distinct() == 0) continue;
    ASSERT_EQ(lines.size(), style.rows + 3);
    for (std::size_t i = 1; i < lines.size(); ++i) {
      EXPECT_LE(width(lines[i]), style.columns) << lines[i];
    }
    if (style.letters == glyphs::ascii) {
      EXPECT_TRUE(
          std::ranges::all_of(picture, [](char c) { return c == '\n' || (c >= ' ' && c <= '~'); }));
    }
  }
}

}  // namespace
}  // namespace acre::kmers
