// SPDX-License-Identifier: BSD-3-Clause
// Seeds are read, those named wrong_… refused alike by all ranks.
#include "../named_seeds_test.hpp"
#include "checkpoint_file_test.hpp"
#include <acre/base/error.hpp>
#include <acre/matrix_files/files_test.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
using acre::fuzz::cell;

std::string problem_of(const fs::path& file) {
  try {
    acre::fuzz::read_checkpoint(file.string());
  } catch (const acre::error& failure) {
    return failure.problem();
  }
  return "";
}

TEST(CheckpointFiles, AreReadOrRefusedAsTheNamesOfSeedsSay) {
  acre::fuzz::expect_as_named(fs::path(ACRE_FUZZ_SEEDS) / "checkpoint_file",
                              [](const fs::path& seed) {
                                const std::string problem = problem_of(seed);
                                EXPECT_EQ(acre::world().broadcast(problem, 0), problem) << seed;
                                return problem;
                              });
}

TEST(CheckpointFiles, AreRefusedWhereOneByteDiffers) {
  const acre::files_test::folder here;
  {
    const auto all = acre::make_collection<cell>(3);
    all.for_each_local([&](std::size_t i, cell& each) {
      acre::fuzz::tie_up(each, all.id(), i, {all.ref(0).get()});
    });
    acre::checkpoint(all, here / "good");
  }
  const std::string good = acre::files_test::read_file(here / "good");
  EXPECT_EQ(problem_of(here / "good"), "");
  EXPECT_TRUE(acre::fuzz::sealed(good) == good);
  // Flips a bit in sampled bytes, and in each of the final padding.
  const std::size_t step = good.size() / (acre::size() == 1 ? 101 : 7);
  const std::size_t last = good.size() - 8;
  for (std::size_t at = 0; at < good.size(); at = at < last ? std::min(at + step, last) : at + 1) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 4);
    acre::files_test::write_file(here / "bad", bad);
    EXPECT_NE(problem_of(here / "bad"), "") << "byte " << at << " of " << good.size();
  }
}

}  // namespace
