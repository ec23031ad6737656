// SPDX-License-Identifier: BSD-3-Clause
#include <acre/runtime/detail/fragments.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace {

using namespace acre::runtime;

class Fragments : public testing::Test {
 protected:
  static constexpr std::uint32_t payload_bytes = 100;

  std::unique_ptr<queued_message> join(acre::rank_t source, word number, std::size_t begin,
                                       std::size_t bytes) {
    std::vector<std::byte> body(bytes);
    for (std::size_t i = 0; i < bytes; ++i) body[i] = static_cast<std::byte>(begin + i);
    const auto words = std::bit_cast<fragment_arguments>(fragment_head{
        .number = number,
        .begin = begin,
        .whole = {
            .payload_bytes = payload_bytes, .handler = 9, .argument_count = 1, .source = source}});
    return fragments_.join(
        pool_, {.header = {.payload_bytes = static_cast<std::uint32_t>(bytes), .source = source},
                .arguments = words,
                .payload = body});
  }
  static bool is_whole(queued_message& joined) {
    const std::span body(joined.body(), sizeof(word) + payload_bytes);
    for (std::size_t i = 0; i < body.size(); ++i) {
      if (body[i] != static_cast<std::byte>(i)) return false;
    }
    return joined.header.handler == 9 && joined.header.payload_bytes == payload_bytes;
  }

 private:
  byte_pool pool_;
  joined_fragments fragments_;
};

TEST_F(Fragments, MakeTheMessageWhenTheLastHasComeInAnyOrder) {
  EXPECT_EQ(join(1, 0, 80, 28), nullptr);
  EXPECT_EQ(join(1, 0, 0, 40), nullptr);
  const auto whole = join(1, 0, 40, 40);
  ASSERT_NE(whole, nullptr);
  EXPECT_TRUE(is_whole(*whole));
}

TEST_F(Fragments, OfSeveralMessagesAndSourcesMayMix) {
  EXPECT_EQ(join(1, 0, 0, 60), nullptr);
  EXPECT_EQ(join(2, 0, 0, 60), nullptr);
  EXPECT_EQ(join(1, 1, 0, 60), nullptr);
  const auto other = join(2, 0, 60, 48);
  ASSERT_NE(other, nullptr);
  EXPECT_EQ(other->header.source, 2U);
  const auto second = join(1, 1, 60, 48);
  ASSERT_NE(second, nullptr);
  EXPECT_TRUE(is_whole(*second));
  const auto first = join(1, 0, 60, 48);
  ASSERT_NE(first, nullptr);
  EXPECT_TRUE(is_whole(*first));
}

TEST_F(Fragments, MayUseANumberAgainWhenItsMessageIsWhole) {
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(join(1, 7, 0, 108 - 1), nullptr);
    EXPECT_NE(join(1, 7, 107, 1), nullptr);
  }
}

}  // namespace
