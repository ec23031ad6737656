// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/environment.hpp>

#include <acre/base/error.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>

namespace {

using std::chrono::milliseconds;

template <class F>
auto with(const char* value, F&& read) {
  ::setenv("ACRE_TEST_VARIABLE", value, 1);
  try {
    auto result = read("ACRE_TEST_VARIABLE");
    ::unsetenv("ACRE_TEST_VARIABLE");
    return result;
  } catch (...) {
    ::unsetenv("ACRE_TEST_VARIABLE");
    throw;
  }
}

TEST(ParseSize, KnowsUnitsAndFractions) {
  EXPECT_EQ(acre::parse_size("4096", "test"), 4096U);
  EXPECT_EQ(acre::parse_size("64K", "test"), 65536U);
  EXPECT_EQ(acre::parse_size("64KiB", "test"), 65536U);
  EXPECT_EQ(acre::parse_size("1.5g", "test"), std::size_t{3} << 29);
  EXPECT_EQ(acre::parse_size("2T", "test"), std::size_t{2} << 40);
}

TEST(ParseSize, RejectsWhatIsNoSize) {
  for (const char* text : {"", "G", "-1", "12X", "1e999", "nan", "5 GB", "0x10", "9999999999P"}) {
    EXPECT_THROW(static_cast<void>(acre::parse_size(text, "test")), acre::error) << text;
  }
}

TEST(ParseSize, NamesTheSettingInTheError) {
  try {
    static_cast<void>(acre::parse_size("much", "ACRE_SEGMENT_SIZE"));
    FAIL() << "no error";
  } catch (const acre::error& failure) {
    EXPECT_EQ(failure.call(), "ACRE_SEGMENT_SIZE");
    EXPECT_NE(std::string(failure.what()).find("\"much\""), std::string::npos);
  }
}

TEST(Environment, TreatsEmptyAsAbsent) {
  ::setenv("ACRE_TEST_VARIABLE", "", 1);
  EXPECT_FALSE(acre::environment("ACRE_TEST_VARIABLE"));
  ::setenv("ACRE_TEST_VARIABLE", "12", 1);
  EXPECT_EQ(acre::environment_number("ACRE_TEST_VARIABLE"), 12U);
  ::setenv("ACRE_TEST_VARIABLE", "12x", 1);
  EXPECT_THROW(static_cast<void>(acre::environment_number("ACRE_TEST_VARIABLE")), acre::error);
  ::unsetenv("ACRE_TEST_VARIABLE");
}

TEST(EnvironmentSeconds, TakesFractionsAndNothingBelowZero) {
  EXPECT_FALSE(acre::environment_seconds("ACRE_TEST_VARIABLE"));
  EXPECT_EQ(with("10", acre::environment_seconds), milliseconds(10'000));
  EXPECT_EQ(with("0.5", acre::environment_seconds), milliseconds(500));
  EXPECT_EQ(with("0", acre::environment_seconds), milliseconds(0));
  // Rounded up, because 0 could mean "off".
  EXPECT_EQ(with("0.0001", acre::environment_seconds), milliseconds(1));
  for (const char* text : {"x", "-1", "1x", "1 s", "nan", "inf", "1e300", "."}) {
    EXPECT_THROW(static_cast<void>(with(text, acre::environment_seconds)), acre::error) << text;
  }
}

TEST(EnvironmentChoice, TakesWhatItNamesAndListsItElse) {
  const auto read = [](const char* name) {
    return acre::environment_choice(name, {"summary", "*.json"});
  };
  EXPECT_EQ(read("ACRE_TEST_VARIABLE"), std::nullopt);
  EXPECT_EQ(with("summary", read), "summary");
  EXPECT_EQ(with("/tmp/a.json", read), "/tmp/a.json");
  try {
    static_cast<void>(with("x", read));
    FAIL() << "no error";
  } catch (const acre::error& failure) {
    EXPECT_EQ(failure.call(), "ACRE_TEST_VARIABLE");
    EXPECT_NE(failure.problem().find("\"x\""), std::string::npos);
    EXPECT_NE(failure.advice().find("summary, *.json"), std::string::npos);
  }
}

TEST(FormatSeconds, KeepsFractions) {
  EXPECT_EQ(acre::format_seconds(milliseconds(500)), "0.5 s");
  EXPECT_EQ(acre::format_seconds(milliseconds(10'000)), "10 s");
  EXPECT_EQ(acre::format_seconds(milliseconds(1)), "0.001 s");
}

TEST(FormatSize, RoundsForPeople) {
  EXPECT_EQ(acre::format_size(0), "0 B");
  EXPECT_EQ(acre::format_size(1536), "1.5 KiB");
  EXPECT_EQ(acre::format_size(std::size_t{24} << 30), "24 GiB");
}

}  // namespace
