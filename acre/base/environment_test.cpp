#include <acre/base/environment.hpp>

#include <acre/base/error.hpp>

#include <gtest/gtest.h>

#include <cstdlib>

namespace {

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

TEST(FormatSize, RoundsForPeople) {
  EXPECT_EQ(acre::format_size(0), "0 B");
  EXPECT_EQ(acre::format_size(1536), "1.5 KiB");
  EXPECT_EQ(acre::format_size(std::size_t{24} << 30), "24 GiB");
}

}  // namespace
