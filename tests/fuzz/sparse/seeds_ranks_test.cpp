// The seeds of the fuzzers of files of sparse matrices stay what they are: files that are read, and
// files, called wrong_…, that are refused with one error on all ranks.
#include "matrix_files_test.hpp"
#include <acre/base/error.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace fs = std::filesystem;

/// In one order on all ranks.
std::vector<fs::path> seeds_of(const acre::fuzz::matrix_reader& reader) {
  std::set<fs::path> sorted;
  for (const auto& each : fs::directory_iterator(fs::path(ACRE_FUZZ_SEEDS) / reader.name)) {
    sorted.insert(each.path());
  }
  return {sorted.begin(), sorted.end()};
}

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
    std::size_t good = 0;
    for (const fs::path& seed : seeds_of(reader)) {
      const std::string problem = read(reader, seed);
      const bool wrong = seed.filename().string().starts_with("wrong_");
      EXPECT_EQ(!problem.empty(), wrong) << seed << ": " << problem;
      EXPECT_EQ(acre::world().broadcast(problem, 0), problem) << seed;
      EXPECT_LT(fs::file_size(seed), 4096U) << seed;
      good += wrong ? 0 : 1;
    }
    EXPECT_GE(good, 1U) << reader.name;
  }
}

TEST(MatrixFiles, AreThoseOfAReader) {
  std::set<std::string_view> names;
  for (const auto& reader : acre::fuzz::matrix_readers) names.insert(reader.name);
  for (const auto& folder : fs::directory_iterator(ACRE_FUZZ_SEEDS)) {
    EXPECT_TRUE(names.contains(folder.path().filename().string())) << folder.path();
  }
}

}  // namespace
