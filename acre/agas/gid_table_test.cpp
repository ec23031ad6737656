// SPDX-License-Identifier: BSD-3-Clause
// Tests of the hash table of object names.
#include <acre/agas/detail/gid_table.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace acre::agas {
namespace {

constexpr std::uint32_t names = 1 << 14;

gid name_of(std::uint32_t slot) { return gid({.home = 1, .slot = slot, .generation = 1}); }

TEST(GidTable, FindsWhatIsThereAndNothingElse) {
  gid_table<std::uint32_t> table;
  for (std::uint32_t slot = 0; slot < 1000; ++slot) table[name_of(slot)] = slot;
  for (std::uint32_t slot = 0; slot < 1000; slot += 3) EXPECT_TRUE(table.erase(name_of(slot)));
  for (std::uint32_t slot = 0; slot < 1100; ++slot) {
    const std::uint32_t* const found = table.find(name_of(slot));
    ASSERT_EQ(found != nullptr, slot < 1000 && slot % 3 != 0);
    EXPECT_EQ(found == nullptr ? slot : *found, slot);
  }
}

TEST(GidTable, VisitsEachNameOnce) {
  gid_table<std::uint32_t> table;
  for (std::uint32_t slot = 0; slot < 1000; ++slot) table[name_of(slot)] = slot;
  std::vector<std::uint32_t> seen;
  table.for_each([&](const gid&, std::uint32_t slot) { seen.push_back(slot); });
  std::ranges::sort(seen);
  ASSERT_EQ(seen.size(), 1000U);
  for (std::uint32_t slot = 0; slot < 1000; ++slot) EXPECT_EQ(seen[slot], slot);
}

TEST(GidTable, StaysQuickWhereNamesComeInTheOrderOfAnotherTable) {
  gid_table<std::uint32_t> from;
  for (std::uint32_t slot = 0; slot < names; ++slot) from[name_of(slot)] = slot;
  gid_table<std::uint32_t> to;
  std::size_t longest = 0;
  from.for_each([&](const gid& name, std::uint32_t) {
    static_cast<void>(to[name]);
    if (to.size() % 1000 == 0) longest = std::max(longest, to.longest_search());
  });
  EXPECT_LT(longest, 64U);
}

}  // namespace
}  // namespace acre::agas
