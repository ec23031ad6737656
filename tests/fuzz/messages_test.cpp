// The messages that the fuzzers of decoders begin with stay what they are: messages that are taken,
// and messages, called wrong_…, that are refused with an error.
#include "decoders_test.hpp"
#include <acre/base/error.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <string_view>

namespace {

namespace fs = std::filesystem;

const fs::path folders = fs::path(ACRE_FUZZ_SEEDS).parent_path() / "messages";

std::string content(const fs::path& file) {
  std::ifstream from(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(from), {}};
}

std::string decode(const acre::fuzz::decoder& decoder, const std::string& message) {
  try {
    decoder.decode(std::as_bytes(std::span(message)));
  } catch (const acre::error& failure) {
    return failure.problem();
  }
  return "";
}

TEST(Messages, AreTakenOrRefusedAsTheirNamesSay) {
  for (const acre::fuzz::decoder& decoder : acre::fuzz::decoders) {
    std::size_t good = 0;
    for (const auto& each : fs::directory_iterator(folders / decoder.name)) {
      const std::string problem = decode(decoder, content(each.path()));
      const bool wrong = each.path().filename().string().starts_with("wrong_");
      EXPECT_EQ(!problem.empty(), wrong) << each.path() << ": " << problem;
      EXPECT_LT(each.file_size(), 4096U) << each.path();
      good += wrong ? 0 : 1;
    }
    EXPECT_GE(good, 1U) << decoder.name;
  }
}

/// All that a bit, or an end too early, makes of them.
TEST(Messages, ThatAreDamagedAreTakenOrRefused) {
  std::size_t damaged = 0;
  for (const acre::fuzz::decoder& decoder : acre::fuzz::decoders) {
    for (const auto& each : fs::directory_iterator(folders / decoder.name)) {
      const std::string whole = content(each.path());
      for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit, ++damaged) {
        std::string message = whole;
        message[bit / 8] = static_cast<char>(message[bit / 8] ^ 1 << bit % 8);
        decode(decoder, message);
        decode(decoder, whole.substr(0, bit / 8));
      }
    }
  }
  EXPECT_GT(damaged, 10000U);
}

TEST(Messages, AreThoseOfADecoder) {
  std::set<std::string_view> names;
  for (const acre::fuzz::decoder& decoder : acre::fuzz::decoders) names.insert(decoder.name);
  for (const auto& folder : fs::directory_iterator(folders)) {
    EXPECT_TRUE(names.contains(folder.path().filename().string())) << folder.path();
  }
}

}  // namespace
