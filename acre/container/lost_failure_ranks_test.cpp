// SPDX-License-Identifier: BSD-3-Clause
// Remote exceptions during unrelated calls.
#include <acre/acre.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <thread>
#include <vector>

namespace {

struct oops : std::runtime_error {
  oops() : std::runtime_error("oops") {}
};

int arrived = 0;
int thrown = 0;

void fail_here() {
  ++arrived;
  throw oops();
}

template <class Call>
void disturbed(Call&& call) {
  arrived = 0;
  thrown = 0;
  {
    const acre::runtime::failures_held until_we_are_out;
    acre::barrier();
  }
  if (acre::rank() != 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
    for (int i = 0; i < 2; ++i) acre::rpc_ff(0, fail_here);
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
  }
  try {
    call();
  } catch (const oops&) {
    ++thrown;
  }
}

void expect_all_thrown() {
  const int expected = acre::rank() == 0 ? 2 * static_cast<int>(acre::size() - 1) : 0;
  while (thrown < expected) {
    try {
      acre::progress();
    } catch (const oops&) {
      ++thrown;
    }
  }
  EXPECT_EQ(arrived, expected);
  EXPECT_EQ(thrown, expected);
  acre::barrier();
}

constexpr int rounds = 5;

TEST(LostFailure, LeavesABarrierComplete) {
  for (int round = 0; round < rounds; ++round) {
    disturbed([] { acre::barrier(); });
    expect_all_thrown();
  }
}

TEST(LostFailure, LeavesCollectivesComplete) {
  for (const std::size_t count : {1U, 100U, 30'000U}) {
    std::vector<int> sums(count);
    std::iota(sums.begin(), sums.end(), 1);
    disturbed([&] { acre::world().allreduce(std::span(sums)); });
    for (std::size_t i = 0; i < count; ++i) {
      ASSERT_EQ(sums[i], static_cast<int>((i + 1) * acre::size()));
    }
    expect_all_thrown();
    std::vector<int> copy(count, static_cast<int>(acre::rank()));
    disturbed([&] { acre::world().broadcast(std::span(copy), acre::size() - 1); });
    EXPECT_EQ(copy, std::vector<int>(count, static_cast<int>(acre::size() - 1)));
    expect_all_thrown();
  }
}

TEST(LostFailure, LeavesAnUpdateComplete) {
  acre::hash_map<int, int> map(acre::world(), 1'000);
  for (int round = 0; round < rounds; ++round) {
    disturbed([&] {
      for (int key = 0; key < 50; ++key) map.update(key, [](int& value) { ++value; }, 1);
    });
    expect_all_thrown();
  }
  for (int key = 0; key < 50; ++key) {
    EXPECT_EQ(map.find(key), std::optional(rounds * static_cast<int>(acre::size())));
  }
  acre::barrier();
}

TEST(LostFailure, LeavesTheResultInItsFuture) {
  for (int round = 0; round < rounds; ++round) {
    auto answer = acre::rpc((acre::rank() + 1) % acre::size(), [](int x) { return x + 1; }, round);
    disturbed([&] { answer.wait(); });
    EXPECT_EQ(answer.get(), round + 1);
    expect_all_thrown();
  }
}

TEST(LostFailure, ComesWhenAllStepsOfACallAreDone) {
  acre::hash_map<int, int> map(acre::world(), 1'000);
  for (int key = 0; key < 50; ++key) map.insert(key, key);
  for (std::uint64_t capacity = 2'000; capacity < 6'000; capacity += 1'000) {
    disturbed([&] { map.resize(capacity); });
    EXPECT_GE(map.capacity(), capacity);
    expect_all_thrown();
    std::optional<acre::array<int>> numbers;
    disturbed([&] { numbers.emplace(acre::world(), 100, 7); });
    ASSERT_TRUE(numbers);
    expect_all_thrown();
    std::optional<acre::hash_map<int, int>> other;
    disturbed([&] { other.emplace(acre::world(), 100); });
    ASSERT_TRUE(other);
    expect_all_thrown();
    acre::team half;
    disturbed([&] { half = acre::world().split(static_cast<int>(acre::rank() % 2)); });
    EXPECT_GE(half.size(), 1U);
    expect_all_thrown();
  }
  for (int key = 0; key < 50; ++key) EXPECT_EQ(map.find(key), std::optional(key));
  acre::barrier();
}

TEST(LostFailure, DoesNotEscapeFromADestructor) {
  auto map = std::make_unique<acre::hash_map<int, int>>(acre::world(), 100);
  disturbed([&] { map.reset(); });
  EXPECT_EQ(thrown, 0);
  expect_all_thrown();
  auto numbers = std::make_unique<acre::array<int>>(100);
  disturbed([&] { numbers.reset(); });
  EXPECT_EQ(thrown, 0);
  expect_all_thrown();
}

}  // namespace
