// SPDX-License-Identifier: BSD-3-Clause
#include <acre/layout/hosted.hpp>

#include <acre/layout/laws.hpp>

#include <gtest/gtest.h>

namespace {

using acre::layout::broken_law;
using acre::layout::hosted;
using acre::layout::place;

static_assert(hosted(10, 3, 2).place_of(5) == place{.member = 2, .offset = 5});

TEST(Hosted, KeepsTheLawsOfPatterns) {
  for (std::size_t size = 0; size <= 20; ++size) {
    for (acre::layout::member_t members = 1; members <= 5; ++members) {
      for (acre::layout::member_t host = 0; host < members; ++host) {
        EXPECT_EQ(broken_law(hosted(size, members, host)), "")
            << size << " on " << host << " of " << members;
      }
    }
  }
}

TEST(Hosted, GivesAllToTheHost) {
  const hosted pattern(7, 3, 1);
  EXPECT_EQ(pattern.local_size(0), 0U);
  EXPECT_EQ(pattern.local_size(1), 7U);
  EXPECT_EQ(pattern.local_size(2), 0U);
  EXPECT_EQ(pattern.run_length(2), 5U);
  EXPECT_EQ(hosted(), hosted(0, 0, 0));
}

}  // namespace
