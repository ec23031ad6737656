// SPDX-License-Identifier: BSD-3-Clause
// Seeds are read, those named wrong_… refused.
#include "named_seeds_test.hpp"
#include "readers.hpp"
#include <acre/base/error.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace {

namespace fs = std::filesystem;

std::string read(const acre::fuzz::reader& reader, const fs::path& seed) {
  try {
    reader.read(acre::machines::source_text::load(seed.string()));
  } catch (const acre::error& failure) {
    return failure.problem();
  }
  return "";
}

TEST(Seeds, AreReadOrRefusedAsTheirNamesSay) {
  for (const acre::fuzz::reader& reader : acre::fuzz::readers) {
    acre::fuzz::expect_as_named(fs::path(ACRE_FUZZ_SEEDS) / reader.name,
                                [&](const fs::path& seed) { return read(reader, seed); });
  }
}

TEST(Seeds, AreThoseOfAReader) {
  acre::fuzz::expect_folders_of(acre::fuzz::readers, ACRE_FUZZ_SEEDS);
}

}  // namespace
