// Functions that hash_map::apply() runs where the value is, with operands of any type.
#include <acre/base/error.hpp>
#include <acre/container/hash/hash_map.hpp>
#include <acre/global/team.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using words = acre::hash_map<std::string, std::vector<std::string>>;
using counts = acre::hash_map<std::uint64_t, std::uint64_t>;

template <class F, class... Operands>
concept can_be_applied = requires(words& map, F f, const Operands&... operands) {
  map.apply(std::string("key"), f, operands...);
};
static_assert(can_be_applied<void (*)(std::vector<std::string>&, const std::string&), std::string>);
static_assert(!can_be_applied<void (*)(std::vector<std::string>&, int*), int*>);
// No room would be certain for what it returns.
static_assert(!can_be_applied<std::string (*)(std::vector<std::string>&)>);

TEST(HashMapApplySmoke, ChangesValuesWithOperandsThatSerialise) {
  words map(acre::world(), 400);
  const std::string me = std::to_string(acre::rank());
  for (int i = 0; i < 20; ++i) {
    const auto places = map.apply(
        "key " + std::to_string(i),
        [](std::vector<std::string>& value, const std::string& who,
           const std::vector<int>& numbers) {
          value.push_back(who + std::string(static_cast<std::size_t>(numbers.back()), '!'));
          return value.size();
        },
        me, std::vector<int>{1, 2, i});
    EXPECT_GE(places, 1U);
    EXPECT_LE(places, acre::size());
  }
  acre::barrier();
  EXPECT_EQ(map.size(), 20U);
  for (int i = 0; i < 20; ++i) {
    std::vector<std::string> all = map.find("key " + std::to_string(i)).value();
    std::ranges::sort(all);
    ASSERT_EQ(all.size(), acre::size());
    for (acre::rank_t r = 0; r < acre::size(); ++r) {
      EXPECT_EQ(all[r], std::to_string(r) + std::string(static_cast<std::size_t>(i), '!'));
    }
  }
  acre::barrier();
}

TEST(HashMapApply, AddsNewKeysOnce) {
  counts map(acre::world(), 1000);
  std::uint64_t first = 0;
  for (std::uint64_t key = 0; key < 100; ++key) {
    if (map.apply(key, [](std::uint64_t& value) { return value++ == 0; })) ++first;
  }
  EXPECT_EQ(acre::world().allreduce(first), 100U);
  for (std::uint64_t key = 0; key < 100; ++key) EXPECT_EQ(map.find(key), acre::size());
  EXPECT_EQ(map.size(), 100U);
  acre::barrier();
}

TEST(HashMapApply, ReturnsNothingOrAPair) {
  counts map(acre::world(), 1000);
  const std::uint64_t mine = acre::rank() * 10;
  map.apply(mine, [](std::uint64_t& value, std::string_view text) { value = text.size(); }, "four");
  const auto before = map.apply(
      mine,
      [](std::uint64_t& value, std::uint64_t now) {
        return std::pair(std::exchange(value, now), now);
      },
      mine);
  EXPECT_EQ(before, std::pair(std::uint64_t{4}, mine));
  EXPECT_EQ(map.find(mine), mine);
  acre::barrier();
}

TEST(HashMapApply, SaysWhenThereIsNoRoom) {
  counts map(acre::world(), 8);
  std::uint64_t done = 0;
  const auto fill = [&] {
    for (std::uint64_t key = 0; key < 100'000; ++key) {
      map.apply(key, [](std::uint64_t& value) { ++value; });
      ++done;
    }
  };
  EXPECT_THROW(fill(), acre::error);
  EXPECT_GT(done, 0U);
  acre::barrier();
}

}  // namespace
