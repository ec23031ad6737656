// SPDX-License-Identifier: BSD-3-Clause
// Kept and broken guarantees.
#include <acre/base/checks.hpp>
#include <acre/base/failure_of_test.hpp>
#include <acre/container/queue/circular_queue.hpp>
#include <acre/container/queue/queue_places_test.hpp>
#include <acre/runtime/counters.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <ostream>
#include <span>
#include <string>
#include <vector>

namespace {

using namespace acre::guarantees;
using acre::circular_queue;
using acre::base_test::failure_of;
using acre::testing::is_host;
using acre::testing::is_near;
using acre::testing::last_rank;
using numbers = circular_queue<std::uint64_t>;

template <class Guarantee>
constexpr bool may_push(Guarantee guarantee) {
  return requires(numbers& queue, std::span<const std::uint64_t> values) {
    queue.push(1, guarantee);
    queue.push(values, guarantee);
    queue.push_some(values, guarantee);
  };
}
template <class Guarantee>
constexpr bool may_pop(Guarantee guarantee) {
  return requires(numbers& queue, std::span<std::uint64_t> values) {
    queue.pop(guarantee);
    queue.pop(values, guarantee);
    queue.pop_some(values, guarantee);
  };
}
static_assert(may_push(only<push>) && !may_push(only<pop>) && may_push(only<push, pop>));
static_assert(!may_pop(only<push>) && may_pop(only<pop>) && may_pop(local) && may_push(local));
static_assert(!may_push(only<insert, find>) && !may_pop(only<insert, find>));

struct cost {
  std::uint64_t reads, writes, atomics, messages;
  friend bool operator==(const cost&, const cost&) = default;
  friend std::ostream& operator<<(std::ostream& out, const cost& c) {
    return out << c.reads << " R, " << c.writes << " W, " << c.atomics << " A, " << c.messages
               << " M";
  }
};
template <class Call>
cost cost_of(Call&& call) {
  const auto before = acre::counters();
  call();
  const auto used = acre::counters() - before;
  return {used.reads, used.writes, used.atomics, used.messages};
}

TEST(CircularQueue, CostsWhatItsTableSays) {
  constexpr int rounds = 10;
  numbers queue(acre::world(), {0}, 4096);
  const std::array<std::uint64_t, 4> four{1, 2, 3, 4};
  std::array<std::uint64_t, 4> out{};
  for (acre::rank_t active = 0; active < acre::size(); ++active) {
    acre::barrier();
    if (acre::rank() != active) continue;
    const bool near = is_near(queue);
    // Costs are upper bounds, because a waiting call may send for others.
    const auto expect = [&](const cost& used, const cost& direct, const char* what) {
      if (near) {
        EXPECT_LE(used.reads, direct.reads) << what;
        EXPECT_LE(used.writes, direct.writes) << what;
        EXPECT_LE(used.atomics, direct.atomics) << what;
        EXPECT_EQ(used.messages, 0U) << what;
      } else {
        EXPECT_EQ(used, (cost{0, 0, 0, 1})) << what << ": one message, and its answer";
      }
    };
    for (int i = 0; i < rounds; ++i) {
      expect(cost_of([&] { queue.push(1); }), {0, 1, 2, 0}, "push");
      expect(cost_of([&] { queue.push(four); }), {0, 4, 2, 0}, "push of four");
      expect(cost_of([&] { static_cast<void>(queue.pop()); }), {1, 0, 2, 0}, "pop");
      expect(cost_of([&] { queue.pop(out); }), {4, 0, 2, 0}, "pop of four");
    }
  }
  acre::barrier();
}

TEST(CircularQueue, CostsLessWithGuarantees) {
  numbers queue(acre::world(), {0}, 4096);
  const std::array<std::uint64_t, 4> four{1, 2, 3, 4};
  std::array<std::uint64_t, 4> out{};
  const bool near = is_near(queue);
  queue.push(1, only<push>);
  for (acre::rank_t active = 0; active < acre::size(); ++active) {
    acre::world().barrier();
    if (acre::rank() != active) continue;
    const cost one = cost_of([&] { EXPECT_TRUE(queue.push(1, only<push>)); });
    const cost many = cost_of([&] { EXPECT_TRUE(queue.push(four, only<push>)); });
    EXPECT_EQ(one, near ? (cost{0, 1, 1, 0}) : (cost{0, 0, 0, 1}));
    EXPECT_EQ(many, near ? (cost{0, 4, 1, 0}) : (cost{0, 0, 0, 1}));
  }
  acre::barrier();
  static_cast<void>(queue.pop(only<pop>));
  for (acre::rank_t active = 0; active < acre::size(); ++active) {
    acre::world().barrier();
    if (acre::rank() != active) continue;
    const cost one = cost_of([&] { EXPECT_TRUE(queue.pop(only<pop>)); });
    const cost many = cost_of([&] { EXPECT_TRUE(queue.pop(out, only<pop>)); });
    EXPECT_EQ(one, near ? (cost{1, 0, 1, 0}) : (cost{0, 0, 0, 1}));
    EXPECT_EQ(many, near ? (cost{4, 0, 1, 0}) : (cost{0, 0, 0, 1}));
  }
  acre::barrier();
  if (is_host(queue)) {
    EXPECT_EQ(cost_of([&] { queue.push(1, local); }), (cost{0, 0, 0, 0}));
    EXPECT_EQ(cost_of([&] { queue.push(four, local); }), (cost{0, 0, 0, 0}));
    EXPECT_EQ(cost_of([&] { EXPECT_TRUE(queue.pop(out, local)); }), (cost{0, 0, 0, 0}));
    EXPECT_EQ(cost_of([&] { EXPECT_TRUE(queue.pop(local)); }), (cost{0, 0, 0, 0}));
  }
  acre::barrier();
}

TEST(CircularQueue, KeepsLocalGuaranteesToTheHost) {
  numbers queue(acre::world(), last_rank(), 3);
  if (is_host(queue)) {
    EXPECT_TRUE(queue.push(1, local));
    EXPECT_TRUE(queue.push(2, local));
    EXPECT_EQ(queue.push_some(std::array<std::uint64_t, 4>{3, 4, 5, 6}, local), 1U);
    EXPECT_FALSE(queue.push(7, local));
    std::vector<std::uint64_t> seen;
    queue.for_each_local([&](std::uint64_t each) { seen.push_back(each); });
    EXPECT_EQ(seen, (std::vector<std::uint64_t>{1, 2, 3}));
    EXPECT_EQ(queue.pop(local), 1U);
  } else {
    EXPECT_NE(failure_of([&] { queue.push(1, local); }).find("host"), std::string::npos);
    EXPECT_NE(failure_of([&] { static_cast<void>(queue.pop(local)); }).find("host"),
              std::string::npos);
    EXPECT_NE(failure_of([&] { queue.for_each_local([](std::uint64_t) {}); }).find("host"),
              std::string::npos);
  }
  acre::barrier();
  EXPECT_EQ(queue.size(), 2U);
  acre::barrier();
  EXPECT_TRUE(queue.pop().has_value() || acre::size() > 2);
  acre::barrier();
}

TEST(CircularQueue, ReportsBrokenGuarantees) {
  if constexpr (!acre::base::has_checks) GTEST_SKIP();
  numbers queue(acre::world(), {0}, 8);
  if (acre::rank() == acre::size() - 1) {
    EXPECT_TRUE(queue.push(1, only<push>));
    EXPECT_NE(failure_of([&] { static_cast<void>(queue.pop()); }).find("guarantee is broken"),
              std::string::npos);
    EXPECT_EQ(queue.size(), 1U);
  }
  acre::barrier();
  if (acre::rank() == acre::size() - 1) {
    EXPECT_EQ(queue.pop(only<pop>), 1U);
    EXPECT_NE(failure_of([&] { queue.push(1); }).find("guarantee is broken"), std::string::npos);
  }
  acre::barrier();
  EXPECT_EQ(queue.size(), 0U);
  acre::barrier();
}

}  // namespace
