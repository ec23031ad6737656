// SPDX-License-Identifier: BSD-3-Clause
#include <acre/container/hash/detail/bucket.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <type_traits>

namespace {

using acre::container::bucket;
using acre::container::bucket_state;

struct two_words {
  std::uint64_t high, low;
};

static_assert(sizeof(bucket<std::uint64_t, std::uint32_t>) == 16);
static_assert(sizeof(bucket<std::uint32_t, std::uint64_t>) == 16);
static_assert(sizeof(bucket<std::uint64_t, std::uint64_t>) == 24);
static_assert(sizeof(bucket<two_words, std::uint32_t>) == 24);
static_assert(std::is_same_v<bucket<std::uint64_t, std::uint64_t>::word, std::uint64_t>);
static_assert(std::is_same_v<bucket<std::uint8_t, std::array<int, 3>>::word, std::uint64_t>);

template <class Word>
void check_reaches() {
  using state = bucket_state<Word>;
  for (const std::uint64_t reach : {0U, 1U, 2U, 511U}) {
    EXPECT_EQ(state().filled(7).with_reach(reach).reach(), reach);
  }
  for (const std::uint64_t reach : {512U, 513U, 1024U, 1025U, 1'000'000U, 2'000'000'000U}) {
    const std::uint64_t kept = state().with_reach(reach).reach();
    EXPECT_GE(kept, reach);
    EXPECT_LT(kept, 2 * reach);
  }
}

TEST(BucketState, KeepsReachesExactlyOrRoundedUp) {
  check_reaches<std::uint32_t>();
  check_reaches<std::uint64_t>();
}

TEST(BucketState, SurvivesTheEndOfItsVersions) {
  bucket_state<std::uint32_t> state = bucket_state<std::uint32_t>().filled(1).with_reach(300);
  for (unsigned i = 0; i < (1U << 20) + 5; ++i) state = state.changed();
  EXPECT_TRUE(state.is_settled());
  EXPECT_EQ(state.reach(), 300U);
}

}  // namespace
