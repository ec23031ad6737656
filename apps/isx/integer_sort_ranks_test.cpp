// SPDX-License-Identifier: BSD-3-Clause
#include <apps/isx/integer_sort.hpp>
#include <apps/isx/queue_sort.hpp>
#include <apps/isx/row_sort.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace acre::isx {
namespace {

std::vector<key> keys_of(std::uint64_t all, unsigned bits) {
  std::vector<key> keys;
  for (std::uint64_t i = rank(); i < all; i += size()) keys.push_back(make_key(i, bits));
  return keys;
}

template <class Sort>
void sort_like_std_by(std::uint64_t all, unsigned bits) {
  SCOPED_TRACE(std::to_string(all) + " keys of " + std::to_string(bits) + " bits");
  std::vector<key> expected;
  for (std::uint64_t i = 0; i < all; ++i) expected.push_back(make_key(i, bits));
  std::ranges::sort(expected);
  Sort sorting(all, bits);
  for (int iteration = 0; iteration < 2; ++iteration) {
    const phases took = sorting.sort(keys_of(all, bits));
    EXPECT_GE(took.total(), 0);
    const auto from = std::ranges::lower_bound(expected, sorting.lowest());
    const auto to = std::ranges::lower_bound(expected, sorting.beyond());
    EXPECT_TRUE(std::ranges::equal(sorting.sorted(), std::ranges::subrange(from, to)));
  }
  const std::uint64_t found = sorting.sorted().size();
  EXPECT_EQ(world().allreduce(found), all);
}

void sort_like_std(std::uint64_t all, unsigned bits) {
  sort_like_std_by<integer_sort>(all, bits);
  sort_like_std_by<queue_sort>(all, bits);
  sort_like_std_by<row_sort>(all, bits);
}

TEST(IntegerSortSmoke, SortsLikeStdSort) { sort_like_std(30'000, 18); }

TEST(IntegerSort, SortsAnyNumberOfKeysOfAnyLength) {
  for (const std::uint64_t all : {0U, 1U, 2U, 1000U, 200'000U}) {
    for (const unsigned bits : {1U, 4U, 17U, 20U}) sort_like_std(all, bits);
  }
}

TEST(IntegerSort, SortsFewKeysInManyBuckets) { sort_like_std(2000, 24); }

TEST(IntegerSort, RefusesKeysThatAreAllTheSame) {
  // With several ranks, the others would wait for the rank that fails.
  if (size() != 1) return;
  integer_sort sorting(100'000, 22);
  EXPECT_THROW(sorting.sort(std::vector<key>(100'000, 7)), error);
}

}  // namespace
}  // namespace acre::isx
