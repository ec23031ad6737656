// SPDX-License-Identifier: BSD-3-Clause
// Seeds are read, those named wrong_… refused alike by all ranks.
#include "../named_seeds_test.hpp"
#include "matrix_files_test.hpp"
#include <acre/base/error.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace {

namespace fs = std::filesystem;

std::string read(const acre::fuzz::matrix_reader& reader, const fs::path& seed) {
  try {
    reader.read(acre::world(), seed.string());
  } catch (const acre::error& failure) {
    return failure.problem();
  }
  return "";
}

TEST(MatrixFiles, AreReadOrRefusedAsTheNamesOfSeedsSay) {
  for (const acre::fuzz::matrix_reader& reader : acre::fuzz::matrix_readers) {
    if (reader.read == nullptr) continue;
    acre::fuzz::expect_as_named(fs::path(ACRE_FUZZ_SEEDS) / reader.name, [&](const fs::path& seed) {
      const std::string problem = read(reader, seed);
      EXPECT_EQ(acre::world().broadcast(problem, 0), problem) << seed;
      return problem;
    });
  }
}

TEST(MatrixFiles, AreThoseOfAReader) {
  acre::fuzz::expect_folders_of(acre::fuzz::matrix_readers, ACRE_FUZZ_SEEDS);
}

}  // namespace
