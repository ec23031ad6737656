// SPDX-License-Identifier: BSD-3-Clause
#include <acre/container/bloom/bloom_checkpoint.hpp>
#include <acre/container/hash/hash_checkpoint.hpp>
#include <acre/container/hash/hash_set.hpp>
#include <acre/matrix_files/files_test.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace {

using acre::files_test::error_of;
using filter_of_numbers = acre::bloom_filter<std::uint64_t>;

constexpr std::uint64_t items = 20'000;

TEST(BloomCheckpoint, SmokeBringsAllItemsBack) {
  const acre::files_test::folder here;
  std::vector<bool> found;
  std::vector<std::uint64_t> numbers;
  for (std::uint64_t i = 0; i < 2 * items; ++i) numbers.push_back(i);
  {
    filter_of_numbers filter(acre::world(), items, 1e-6);
    std::vector<std::uint64_t> own;
    for (std::uint64_t i = acre::rank(); i < items; i += acre::size()) own.push_back(i);
    filter.insert_many(own);
    acre::checkpoint(filter, here / "filter");
    found = filter.find_many(numbers);
  }
  filter_of_numbers filter(acre::world(), items, 1e-6);
  filter.insert(3 * items);
  acre::restore(filter, here / "filter");
  EXPECT_EQ(filter.find_many(numbers), found);
  EXPECT_FALSE(filter.find(3 * items));
  acre::barrier();
}

TEST(BloomCheckpoint, RefusesFiltersWhoseBitsDiffer) {
  const acre::files_test::folder here;
  const filter_of_numbers filter(acre::world(), 100, 1e-6);
  acre::checkpoint(filter, here / "filter");
  filter_of_numbers larger(acre::world(), 10'000, 1e-6);
  const std::string said = error_of([&] { acre::restore(larger, here / "filter"); });
  EXPECT_NE(said.find("contains a acre::bloom_filter of "), std::string::npos) << said;
  acre::bloom_filter<std::uint32_t> other(acre::world(), 100, 1e-6);
  EXPECT_THROW(acre::restore(other, here / "filter"), acre::error);
  acre::hash_set<std::uint64_t> set(acre::world(), 100);
  EXPECT_THROW(acre::restore(set, here / "filter"), acre::error);
}

}  // namespace
