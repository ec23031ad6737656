// SPDX-License-Identifier: BSD-3-Clause
// hash_map::apply().
#include <acre/base/error.hpp>
#include <acre/container/guarantee.hpp>
#include <acre/container/hash/hash_map.hpp>
#include <acre/global/rpc/rpc.hpp>
#include <acre/global/team/team.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <stdexcept>
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
static_assert(!can_be_applied<std::string (*)(std::vector<std::string>&)>);

// No lambda: one in a concept confuses Clang.
struct leaves_it {
  void operator()(std::vector<std::string>&) const {}
};
template <class Guarantee>
concept can_be_applied_with = requires(words& map, Guarantee guarantee) {
  map.apply(std::string("key"), guarantee, leaves_it());
  map.apply_async(std::string("key"), guarantee, leaves_it());
};
static_assert(can_be_applied_with<acre::only_guarantee<acre::container_operation::update>>);
static_assert(can_be_applied_with<acre::local_guarantee>);
static_assert(!can_be_applied_with<acre::only_guarantee<acre::container_operation::find>>);

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

TEST(HashMapApply, GivesFuturesOfWhatFunctionsReturn) {
  words map(acre::world(), 400);
  const std::string me = std::to_string(acre::rank());
  const auto add = [](std::vector<std::string>& value, const std::string& who) {
    value.push_back(who);
    return value.size();
  };
  std::vector<acre::future<std::size_t>> places;
  for (int i = 0; i < 20; ++i) {
    places.push_back(map.apply_async("key " + std::to_string(i), add, me));
    if (i % 5 == 0)
      map.apply_async("key " + std::to_string(i), add, std::string(50'000, 'x')).get();
  }
  for (const std::size_t place : acre::when_all(std::move(places)).get()) {
    EXPECT_GE(place, 1U);
    EXPECT_LE(place, 2 * acre::size());
  }
  acre::future<> nothing =
      map.apply_async("all", [](std::vector<std::string>& value) { value.emplace_back("here"); });
  map.sync();
  EXPECT_TRUE(nothing.is_ready());
  nothing.get();
  EXPECT_EQ(map.find("all").value(), std::vector<std::string>(acre::size(), "here"));
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(map.find("key " + std::to_string(i)).value().size(),
              acre::size() * (i % 5 == 0 ? 2 : 1));
  }
  acre::barrier();
}

TEST(HashMapApply, IsTrustedWithGuarantees) {
  counts map(acre::world(), 1000);
  const auto add = [](std::uint64_t& value, std::uint64_t more) { return value += more; };
  for (std::uint64_t key = 0; key < 50; ++key) {
    map.apply(key, acre::guarantees::only<acre::guarantees::update>, add, key);
    map.apply_async(key, acre::guarantees::only<acre::guarantees::update>, add, 1U).get();
  }
  acre::barrier();
  for (std::uint64_t key = 0; key < 50; ++key) {
    if (!map.owner(key).is_this_rank()) continue;
    EXPECT_EQ(map.apply(key, acre::guarantees::local, add, 1U), acre::size() * (key + 1) + 1);
    EXPECT_EQ(map.apply_async(key, acre::guarantees::local, add, 1U).get(),
              acre::size() * (key + 1) + 2);
  }
  acre::barrier();
  if (acre::size() != 1) {
    std::uint64_t elsewhere = 0;
    while (map.owner(elsewhere).is_this_rank()) ++elsewhere;
    EXPECT_THROW(map.apply(elsewhere, acre::guarantees::local, add, 1U), acre::error);
    EXPECT_THROW(map.apply_async(elsewhere, acre::guarantees::local, add, 1U).get(), acre::error);
  }
  acre::barrier();
}

TEST(HashMapApply, WhatFunctionsThrowTheFutureHas) {
  counts map(acre::world(), 1000);
  auto failed =
      map.apply_async(7, [](std::uint64_t&) -> int { throw std::runtime_error("seven"); });
  EXPECT_THROW(failed.get(), std::exception);
  acre::barrier();
  EXPECT_FALSE(map.contains(7));
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
  const auto fill_async = [&] {
    for (std::uint64_t key = 0; key < 100'000; ++key) {
      map.apply_async(key, [](std::uint64_t& value) { return ++value; }).get();
    }
  };
  EXPECT_THROW(fill_async(), acre::error);
  acre::barrier();
}

counts* the_map = nullptr;

template <class F>
void expect_refused_under_lock(counts& map, std::uint64_t key, F f, const char* call,
                               const char* why) {
  const auto problem_of = [](auto&& change) {
    try {
      change();
    } catch (const std::exception& failure) {
      return std::string(failure.what());
    }
    return std::string("nothing");
  };
  const std::string applied = problem_of([&] { map.apply(key, f); });
  EXPECT_NE(applied.find(call), std::string::npos) << applied;
  EXPECT_NE(applied.find(why), std::string::npos) << applied;
  if (!map.contains(key)) return;
  const std::string updated = problem_of([&] { map.update(key, f, 1); });
  EXPECT_NE(updated.find(why), std::string::npos) << updated;
}

TEST(HashMapApply, RefusesInItsFunctionWhatMayMeetItsLock) {
  counts map(acre::world(), 1024);
  the_map = &map;
  for (std::uint64_t key = acre::rank(); key < 64; key += acre::size()) map.insert(key, 7);
  acre::barrier();
  constexpr const char* under_lock = "inside the function of hash_map::update or apply";
  for (std::uint64_t key = acre::rank(); key < 32; key += acre::size()) {
    for (const std::uint64_t each : {key, key + 32, key + 1000}) {
      expect_refused_under_lock(
          map, each,
          [](std::uint64_t& value) {
            value = 0;
            the_map->apply(std::uint64_t{40}, [](std::uint64_t& other) { ++other; });
          },
          "hash_map::apply", under_lock);
    }
    expect_refused_under_lock(
        map, key, [](std::uint64_t&) { acre::barrier(); }, "barrier", under_lock);
    expect_refused_under_lock(
        map, key, [](std::uint64_t&) { static_cast<void>(acre::progress()); }, "progress",
        under_lock);
    expect_refused_under_lock(
        map, key,
        [](std::uint64_t&) {
          acre::rpc((acre::rank() + 1) % acre::size(), [] { return 1; }).get();
        },
        "future::get", under_lock);
  }
  acre::barrier();
  for (std::uint64_t key = 0; key < 64; ++key) EXPECT_EQ(map.find(key), 7U);
  EXPECT_EQ(map.size(), 64U);
}

struct large {
  unsigned char part[4 << 20];
};

TEST(HashMapApply, TakesAnOperandThatIsTooLargeForTheStackSeveralTimes) {
  counts map(acre::world(), 64);
  if (acre::rank() == 0) {
    const auto operand = std::make_unique<large>();
    for (std::size_t i = 0; i < sizeof(operand->part); i += 4096) operand->part[i] = 1;
    for (std::uint64_t key = 0; key < acre::size(); ++key) {
      map.apply(
          key,
          [](std::uint64_t& sum, const large& given) {
            for (const unsigned char each : given.part) sum += each;
          },
          *operand);
    }
  }
  acre::barrier();
  for (std::uint64_t key = 0; key < acre::size(); ++key) EXPECT_EQ(map.find(key), 1024U);
  acre::barrier();
}

}  // namespace
