// SPDX-License-Identifier: BSD-3-Clause
#include <apps/genome/progress_bar.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>

namespace acre::genome {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;

TEST(ProgressBar, ShowsShareRateAndTimeLeft) {
  EXPECT_EQ(progress_line({.done = 25 * mebibyte, .total = 100 * mebibyte, .seconds = 5}, 56,
                          glyphs::ascii),
            "  #####................   25 %       5 MiB/s  0:15 left");
  EXPECT_EQ(progress_line({.done = 25 * mebibyte, .total = 100 * mebibyte, .seconds = 5}, 56,
                          glyphs::unicode),
            "  █████▎                  25 %       5 MiB/s  0:15 left");
  EXPECT_NE(progress_line({.done = 1, .total = 10000, .seconds = 1}, 80, glyphs::ascii)
                .find("2:46:39 left"),
            std::string::npos);
}

TEST(ProgressBar, KnowsNoTimeBeforeTheFirstByteAndNoShareOfAPipe) {
  const auto begin = progress_line({.done = 0, .total = 100, .seconds = 1}, 60, glyphs::ascii);
  EXPECT_EQ(begin.find("left"), std::string::npos);
  EXPECT_NE(begin.find("  0 %"), std::string::npos);
  const auto pipe =
      progress_line({.done = 3 * mebibyte, .total = 0, .seconds = 1}, 60, glyphs::ascii);
  EXPECT_EQ(pipe, "  3 MiB  3 MiB/s");
}

TEST(ProgressBar, CountsWhatIsNoBytes) {
  EXPECT_EQ(
      progress_line({.done = 25, .total = 100, .seconds = 5, .unit = "steps"}, 56, glyphs::ascii),
      "  #####................   25 %   5.0 steps/s  0:15 left");
}

TEST(ProgressBar, FitsIntoAnyTerminalAndNeverPassesItsEnd) {
  for (unsigned columns = 20; columns < 200; ++columns) {
    for (const std::uint64_t done : {0U, 1U, 50U, 99U, 100U, 120U}) {
      const auto line =
          progress_line({.done = done, .total = 100, .seconds = 0.5}, columns, glyphs::ascii);
      EXPECT_LT(line.size(), columns) << line;
    }
  }
}

TEST(ProgressBar, DrawsAtMostTenTimesASecond) {
  std::ostringstream out;
  const progress_bar::clock::time_point start{};
  progress_bar bar(1000, &out, start);
  for (unsigned i = 0; i < 1000; ++i) bar.update(i, start + i * 1ms);
  const auto text = out.str();
  EXPECT_EQ(std::ranges::count(text, '\r'), 9);
  bar.finish();
  EXPECT_TRUE(out.str().ends_with("\r\033[K"));
}

TEST(ProgressBar, IsSilentInAPipeAndWhenAllIsDoneAtOnce) {
  std::ostringstream out;
  const progress_bar::clock::time_point start{};
  {
    progress_bar quick(1000, &out, start);
    quick.update(1000, start + 1ms);
    progress_bar nowhere(1000, nullptr, start);
    nowhere.update(500, start + 10s);
  }
  EXPECT_EQ(out.str(), "");
}

}  // namespace
}  // namespace acre::genome
