// The seeds of the fuzzers stay what they are: files that are read, and files,
// called wrong_…, that are refused with an error.
#include "readers.hpp"
#include <acre/base/error.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <set>

namespace {

namespace fs = std::filesystem;

std::string read(const acre::fuzz::reader& reader, const fs::path& seed) {
  try {
    reader.read(acre::topology::source_text::load(seed.string()));
  } catch (const acre::error& failure) {
    return failure.problem();
  }
  return "";
}

TEST(Seeds, AreReadOrRefusedAsTheirNamesSay) {
  for (const acre::fuzz::reader& reader : acre::fuzz::readers) {
    std::size_t good = 0;
    for (const auto& seed : fs::directory_iterator(fs::path(ACRE_FUZZ_SEEDS) / reader.name)) {
      const std::string problem = read(reader, seed.path());
      const bool wrong = seed.path().filename().string().starts_with("wrong_");
      EXPECT_EQ(!problem.empty(), wrong) << seed.path() << ": " << problem;
      EXPECT_LT(seed.file_size(), 4096U) << seed.path();
      good += wrong ? 0 : 1;
    }
    EXPECT_GE(good, 1U) << reader.name;
  }
}

TEST(Seeds, AreThoseOfAReader) {
  std::set<std::string_view> names;
  for (const acre::fuzz::reader& reader : acre::fuzz::readers) names.insert(reader.name);
  for (const auto& folder : fs::directory_iterator(ACRE_FUZZ_SEEDS)) {
    EXPECT_TRUE(names.contains(folder.path().filename().string())) << folder.path();
  }
}

}  // namespace
