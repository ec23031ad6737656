// SPDX-License-Identifier: BSD-3-Clause
#include <acre/container/bag/detail/own_tags.hpp>

#include <acre/global/wire/owned_hash.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <vector>

namespace {

TEST(OwnTags, AreHashesOfTheirMember) {
  for (const acre::rank_t members : {1U, 2U, 3U, 5U, 7U, 8U, 1000U, 65536U, 4294967295U}) {
    for (const acre::rank_t member : {0U, 1U, members / 2, members - 1}) {
      if (member >= members) continue;
      acre::container::own_tags tags(member, members);
      std::set<std::uint64_t> seen;
      for (int i = 0; i < 2000; ++i) {
        const std::uint64_t tag = tags.next();
        ASSERT_EQ(acre::global::locate(tag, members).owner, member) << members;
        ASSERT_TRUE(seen.insert(tag).second);
      }
    }
  }
}

TEST(OwnTags, SpreadEvenlyOverAPart) {
  acre::container::own_tags tags(2, 3);
  std::vector<int> hits(64);
  for (int i = 0; i < 6400; ++i) {
    const std::uint64_t fraction = acre::global::locate(tags.next(), 3).fraction;
    ++hits[fraction >> 58];
  }
  // The tags of a part cover three quarters of it.
  int used = 0;
  for (const int each : hits) {
    if (each == 0) continue;
    ++used;
    EXPECT_LT(each, 140);
  }
  EXPECT_GE(used, 48);
}

}  // namespace
