// SPDX-License-Identifier: BSD-3-Clause
// Stored messages are decoded, except those named wrong_…, which are refused.
#include "decoders_test.hpp"
#include "named_seeds_test.hpp"
#include <acre/base/error.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

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
    acre::fuzz::expect_as_named(folders / decoder.name, [&](const fs::path& seed) {
      return decode(decoder, content(seed));
    });
  }
}

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

TEST(Messages, AreThoseOfADecoder) { acre::fuzz::expect_folders_of(acre::fuzz::decoders, folders); }

}  // namespace
