// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/checksum.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace {

std::uint64_t sum_of(std::string_view text) {
  acre::base::checksum all;
  all.add(std::as_bytes(std::span(text)));
  return all.sum();
}

TEST(Checksum, KeepsItsValues) {
  EXPECT_EQ(sum_of(""), 0xfda0df64e05f90aeU);
  EXPECT_EQ(sum_of("The checksum of many bytes, which checkpoints store."), 0x3fdddfb97cb25e93U);
}

TEST(Checksum, FindsEachChangedBit) {
  std::array<char, 70> bytes{};
  const std::string_view text(bytes.data(), bytes.size());
  const std::uint64_t whole = sum_of(text);
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8));
    EXPECT_NE(sum_of(text), whole) << bit;
    bytes[bit / 8] = 0;
  }
}

}  // namespace
