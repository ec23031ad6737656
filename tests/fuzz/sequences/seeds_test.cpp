// SPDX-License-Identifier: BSD-3-Clause
// Seeds are read or (wrong_…) refused alike by any number of ranks.
#include "../named_seeds_test.hpp"
#include "sequences_test.hpp"
#include <acre/base/error.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace {

TEST(SequenceFiles, AreReadOrRefusedAsTheNamesOfSeedsSay) {
  acre::fuzz::expect_as_named(std::filesystem::path(ACRE_FUZZ_SEEDS) / "sequence_file",
                              [](const std::filesystem::path& seed) -> std::string {
                                try {
                                  EXPECT_EQ(acre::fuzz::difference_between_ranks(seed.string()),
                                            "");
                                } catch (const acre::error& failure) {
                                  return failure.problem();
                                }
                                return "";
                              });
}

}  // namespace
