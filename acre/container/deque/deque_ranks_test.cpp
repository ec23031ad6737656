// SPDX-License-Identifier: BSD-3-Clause
// Deques compared with std::deque. Histories of concurrent calls: tests/histories.
#include <acre/base/error.hpp>
#include <acre/base/failure_of_test.hpp>
#include <acre/container/common_seed_test.hpp>
#include <acre/container/cost_test.hpp>
#include <acre/container/deque/deque.hpp>
#include <acre/container/queue/queue_checkpoint.hpp>
#include <acre/container/queue/queue_places_test.hpp>
#include <acre/matrix_files/files_test.hpp>
#include <acre/runtime/memory.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

using acre::deque;
using acre::base_test::failure_of;
using acre::testing::common_seed;
using acre::testing::cost;
using acre::testing::costs;
using acre::testing::is_near;
using acre::testing::last_rank;
using acre::testing::steps;

template <class T>
T make(std::uint64_t number);
template <>
std::uint64_t make(std::uint64_t number) {
  return number;
}
template <>
std::string make(std::uint64_t number) {
  return std::to_string(number) + std::string(number % 97 == 0 ? 40'000 : number % 90, '.');
}
template <>
std::array<std::uint64_t, 100> make(std::uint64_t number) {
  std::array<std::uint64_t, 100> value;
  value.fill(number);
  return value;
}
template <>
std::pair<std::uint64_t, std::optional<int>> make(std::uint64_t number) {
  return {number, number % 2 == 0 ? std::optional<int>() : 7};
}

template <class T>
std::vector<T> take(std::deque<T>& model, bool front, std::size_t most) {
  std::vector<T> taken;
  for (; !model.empty() && taken.size() < most; front ? model.pop_front() : model.pop_back()) {
    taken.push_back(front ? model.front() : model.back());
  }
  return taken;
}

template <class T>
void follow_model(deque<T>& values, std::mt19937_64& random) {
  std::deque<T> model;
  std::uint64_t number = 0;
  for (int step = 0; step < steps(1500); ++step) {
    const bool front = random() % 2 == 0;
    switch (random() % 6) {
      case 0: {
        const T value = make<T>(++number);
        front ? values.push_front(value) : values.push_back(value);
        front ? model.push_front(value) : model.push_back(value);
        break;
      }
      case 1: {
        std::vector<T> some;
        for (std::uint64_t i = random() % 9; i != 0; --i) some.push_back(make<T>(++number));
        front ? values.push_front(some) : values.push_back(some);
        model.insert(front ? model.begin() : model.end(), some.begin(), some.end());
        break;
      }
      case 2: {
        const auto wanted = take(model, front, 1);
        const auto value = front ? values.pop_front() : values.pop_back();
        ASSERT_EQ(value.has_value(), !wanted.empty());
        if (value) {
          ASSERT_EQ(*value, wanted[0]);
        }
        break;
      }
      case 3: {
        const std::size_t most = random() % 12;
        const auto popped = front ? values.pop_front_some(most) : values.pop_back_some(most);
        ASSERT_EQ(popped, take(model, front, most));
        break;
      }
      default: {
        const auto value = front ? values.peek_front() : values.peek_back();
        ASSERT_EQ(value.has_value(), !model.empty());
        if (value) {
          ASSERT_EQ(*value, front ? model.front() : model.back());
        }
        ASSERT_EQ(values.size(), model.size());
      }
    }
  }
  ASSERT_EQ(values.pop_front_some(model.size()).size(), model.size());
  ASSERT_TRUE(values.empty());
}

template <class T>
class Deque : public testing::Test {};
using element_types = testing::Types<std::uint64_t, std::array<std::uint64_t, 100>, std::string,
                                     std::pair<std::uint64_t, std::optional<int>>>;
TYPED_TEST_SUITE(Deque, element_types);

TYPED_TEST(Deque, SmokeFollowsTheModelOnEachRankInTurn) {
  const std::uint64_t seed = common_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  const std::size_t before = acre::runtime::segment_free().private_part;
  acre::barrier();
  {
    deque<TypeParam> values(acre::world(), last_rank());
    for (acre::rank_t turn = 0; turn < acre::size(); ++turn) {
      std::mt19937_64 random(seed + turn);
      if (acre::rank() == turn && (turn < 2 || turn == last_rank().member)) {
        follow_model(values, random);
      }
      acre::barrier();
    }
    values.push_back(make<TypeParam>(acre::rank()));
    acre::barrier();
  }
  acre::barrier();
  EXPECT_EQ(acre::runtime::segment_free().private_part, before);
}

TEST(DequeOfNumbers, LosesAndDoublesNoValueOfConcurrentRanks) {
  deque<std::string> values(acre::world(), last_rank());
  const auto use = [&](std::uint64_t number, std::uint64_t& balance) {
    const auto text = std::to_string(number);
    number % 2 == 0 ? values.push_front(text) : values.push_back(text);
    balance += number;
    if (number % 3 == 0) return;
    const auto popped = number % 5 < 3 ? values.pop_front() : values.pop_back();
    if (popped) balance -= std::stoull(*popped);
  };
  std::array<std::uint64_t, 2> balance{};
  {
    std::array<std::jthread, 2> threads;
    for (std::size_t t = 0; t < 2; ++t) {
      threads[t] = std::jthread([&, t] {
        for (int i = 0; i < steps(200); ++i) {
          use((static_cast<std::uint64_t>(i) * acre::size() + acre::rank()) * 2 + t, balance[t]);
        }
      });
    }
  }
  acre::barrier();
  std::uint64_t rest = 0;
  for (const std::string& each : values.own_elements()) rest += std::stoull(each);
  EXPECT_EQ(acre::world().allreduce(balance[0] + balance[1] - rest), 0U);
}

TEST(DequeOfNumbers, CostsAsDocumented) {
  deque<std::uint64_t> values(acre::world(), last_rank());
  const std::array<std::uint64_t, 3> three{1, 2, 3};
  for (acre::rank_t turn = 0; turn < acre::size(); ++turn, acre::barrier()) {
    if (acre::rank() != turn) continue;
    const auto expect_cost = [&](costs near, auto&& operation) {
      EXPECT_EQ(cost(operation), is_near(values) ? near : costs({0, 0, 0, 1}));
    };
    expect_cost({0, 3, 1, 0}, [&] { values.push_front(three); });
    expect_cost({2, 0, 1, 0}, [&] { EXPECT_EQ(values.pop_back_some(2).size(), 2U); });
    expect_cost({1, 0, 1, 0}, [&] { EXPECT_EQ(values.peek_front(), 1U); });
    expect_cost({1, 0, 0, 0}, [&] { EXPECT_EQ(values.size(), 1U); });
    expect_cost({1, 0, 1, 0}, [&] { EXPECT_EQ(values.pop_front(), 1U); });
    expect_cost({0, 0, 1, 0}, [&] { EXPECT_FALSE(values.pop_front()); });
  }
}

TEST(DequeOfNumbers, RestoresACheckpointInOrder) {
  const acre::files_test::folder here;
  deque<std::string> values(acre::world(), last_rank());
  if (acre::rank() == 0) {
    values.push_back(std::vector<std::string>{"second", "third"});
    values.push_front("first");
  }
  acre::checkpoint(values, here / "deque");
  deque<std::string> restored(acre::world(), {0});
  restored.push_back("old");
  acre::restore(restored, here / "deque");
  const std::vector<std::string> wanted{"first", "second", "third"};
  EXPECT_EQ(restored.own_elements(), acre::rank() == 0 ? wanted : std::vector<std::string>());
  acre::barrier();
}

TEST(DequeOfNumbers, SwapsMovesClearsAndRefusesMisuse) {
  deque<int> a(acre::world(), last_rank());
  deque<int> b(acre::world(), {0});
  if (acre::rank() == 0) {
    a.push_back(1);
    b.push_back(std::vector{2, 3});
  }
  acre::barrier();
  swap(a, b);
  EXPECT_EQ(a.size(), 2U);
  EXPECT_EQ(a.host().number(), 0U);
  EXPECT_EQ(a.own_elements().size(), acre::rank() == 0 ? 2U : 0U);
  acre::barrier();
  a.clear();
  EXPECT_TRUE(a.empty());
  acre::barrier();
  a.push_front(4);
  acre::barrier();
  EXPECT_EQ(a.size(), acre::size());
  b = std::move(a);
  EXPECT_FALSE(a);
  EXPECT_THROW(a.push_back(1), acre::error);
  if (!b.host().is_this_rank()) {
    const std::string said = failure_of([&] { b.for_each_local([](int) {}); });
    EXPECT_NE(said.find("reserved for the host, member 0"), std::string::npos) << said;
  }
  EXPECT_THROW(deque<int>(acre::world(), {acre::size()}), acre::error);
  acre::barrier();
}

}  // namespace
