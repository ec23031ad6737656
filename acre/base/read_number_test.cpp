// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/read_number.hpp>

#include <gtest/gtest.h>

#include <charconv>
#include <cmath>
#include <string>
#include <system_error>

namespace acre::base {
namespace {

template <class Real>
class ReadNumber : public testing::Test {};
using reals = testing::Types<float, double, long double>;
TYPED_TEST_SUITE(ReadNumber, reals);

TYPED_TEST(ReadNumber, ReadsWhatFromCharsReads) {
  for (const std::string text : {"0",
                                 "-0.0",
                                 "1",
                                 "-1.5",
                                 "1e3",
                                 "1E+3x",
                                 "2.5e-3,7",
                                 ".5",
                                 "5.",
                                 "1e",
                                 "1e+",
                                 "1-2",
                                 "123456789012345678901234567890",
                                 "4.9e-324",
                                 "1.7976931348623157e308",
                                 "inf",
                                 "-INF",
                                 "infinity",
                                 "nan",
                                 "0x10",
                                 "",
                                 " 1",
                                 "+1",
                                 "-",
                                 ".",
                                 "e5",
                                 "1e999",
                                 "-1e999",
                                 "1e-999",
                                 "1e39",
                                 "1e-60",
                                 "-1e4000",
                                 "0.1"}) {
    TypeParam expected = 7;
    TypeParam value = 7;
    const char* const end = text.data() + text.size();
    const auto wanted = read_number(text.data(), end, expected);
    const auto result = read_real(text.data(), end, value);
    EXPECT_EQ(result.ec, wanted.ec) << text;
    EXPECT_EQ(result.ptr - text.data(), wanted.ptr - text.data()) << text;
    if (wanted.ec == std::errc::result_out_of_range) expected = 7;  // libc++ sets a limit
    EXPECT_TRUE(value == expected || (std::isnan(value) && std::isnan(expected))) << text;
  }
}

TEST(ReadNumbers, ReadsFloats) {
  const std::string text = "0.1";
  float value = 0;
  EXPECT_EQ(read_number(text.data(), text.data() + text.size(), value).ec, std::errc());
  EXPECT_EQ(value, 0.1F);
}

}  // namespace
}  // namespace acre::base
