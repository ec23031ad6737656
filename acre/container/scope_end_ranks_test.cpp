// SPDX-License-Identifier: BSD-3-Clause
// One rank leaves the scope of a container by an exception, which it catches outside.
#include <acre/acre.hpp>
#include <acre/runtime/stall_watch.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <concepts>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

namespace {

struct oops {};

constexpr auto make_array = [](const acre::team& t) { return acre::array<int>(t, 100); };
constexpr auto make_map = [](const acre::team& t) { return acre::hash_map<int, int>(t, 100); };
constexpr auto make_text_map = [](const acre::team& t) {
  return acre::hash_map<std::string, std::string>(t, 100);
};
constexpr auto make_queue = [](const acre::team& t) {
  return acre::circular_queue<int>(t, acre::hosted_by{0}, 100);
};
constexpr auto make_filter = [](const acre::team& t) {
  return acre::bloom_filter<std::uint64_t>(t, 100, 0.01);
};
constexpr auto make_distributor = [](const acre::team& t) {
  return acre::distributor<std::uint64_t>(t);
};

template <class Make>
class ScopeEnd : public testing::Test {};
using makers =
    testing::Types<decltype(make_array), decltype(make_map), decltype(make_text_map),
                   decltype(make_queue), decltype(make_filter), decltype(make_distributor)>;
TYPED_TEST_SUITE(ScopeEnd, makers);

// Nobody waits for the rank that throws, and all go on together.
TYPED_TEST(ScopeEnd, ByAnExceptionOfOneRankHoldsUpNobody) {
  for (acre::rank_t thrower = 0; thrower < acre::size(); ++thrower) {
    try {
      const auto made = TypeParam{}(acre::world());
      if (acre::rank() == thrower) throw oops();
    } catch (const oops&) {
    }
    EXPECT_EQ(acre::world().allreduce(1), static_cast<int>(acre::size()));
    const auto again = TypeParam{}(acre::world());
  }
}

TYPED_TEST(ScopeEnd, ByExceptionsOfAllRanksHoldsUpNobody) {
  try {
    const auto made = TypeParam{}(acre::world());
    throw oops();
  } catch (const oops&) {
  }
  EXPECT_EQ(acre::world().allreduce(1), static_cast<int>(acre::size()));
}

TYPED_TEST(ScopeEnd, ByAnExceptionIsAnErrorForWhoIsInACollective) {
  if (acre::size() == 1) GTEST_SKIP() << "it takes two";
  const acre::team members = acre::world().split(0);
  std::string heard;
  try {
    const auto made = TypeParam{}(members);
    if (acre::rank() == 0) throw oops();
    members.barrier();
  } catch (const oops&) {
  } catch (const acre::error& left) {
    heard = left.what();
  }
  if (acre::rank() != 0) {
    EXPECT_NE(heard.find("the end of a container"), std::string::npos) << heard;
  }
  acre::barrier();
  // The team is of no more use, on all members.
  EXPECT_THROW(members.barrier(), acre::error);
  acre::barrier();
}

constexpr auto make_hosted_array = [](const acre::team& t) {
  return acre::hosted_array<int>(t, acre::hosted_by{0}, 100);
};
constexpr auto make_symmetric_array = [](const acre::team& t) {
  return acre::symmetric_array<int>(t, 100);
};
constexpr auto make_fast_queue = [](const acre::team& t) {
  return acre::fast_queue<int>(t, acre::hosted_by{0}, 100);
};
constexpr auto make_set = [](const acre::team& t) { return acre::hash_set<std::uint64_t>(t, 100); };
constexpr auto make_lock = [](const acre::team& t) { return acre::global_lock(t); };

/// Where rank 1 waits, as soon as that has `part` in it.
std::string await_whereabouts(const std::string& part) {
  std::string where;
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  do {
    acre::progress();
    where = acre::runtime::where_is(1);
  } while (where.find(part) == std::string::npos && std::chrono::steady_clock::now() < give_up);
  return where;
}

template <class Make>
class ScopeEndSite : public testing::Test {};
using all_makers =
    testing::Types<decltype(make_array), decltype(make_map), decltype(make_queue),
                   decltype(make_filter), decltype(make_distributor), decltype(make_hosted_array),
                   decltype(make_symmetric_array), decltype(make_fast_queue), decltype(make_set),
                   decltype(make_lock)>;
TYPED_TEST_SUITE(ScopeEndSite, all_makers);

TYPED_TEST(ScopeEndSite, TellsTheStallWatchWhereTheContainerWasMade) {
  if (acre::size() < 2) GTEST_SKIP() << "it takes two";
  using container = decltype(TypeParam{}(acre::world()));
  const auto look = [] {
    if (acre::rank() != 0) return;
    const std::string where = await_whereabouts("waits in the destructor of the ");
    EXPECT_NE(where.find("scope_end_ranks_test.cpp:"), std::string::npos) << where;
  };
  {
    container made = TypeParam{}(acre::world());
    if constexpr (std::move_constructible<container>) {
      const container moved = std::move(made);
      look();
    } else {
      look();
    }
  }
  acre::barrier();
}

TEST(CollectiveCallsOfContainers, TellTheStallWatchTheCallersLine) {
  if (acre::size() < 2) GTEST_SKIP() << "it takes two";
  auto map = make_map(acre::world());
  auto queue = make_queue(acre::world());
  const auto filter = make_filter(acre::world());
  const auto expect_line = [](const char* part) {
    if (acre::rank() != 0) return;
    const std::string where = await_whereabouts(part);
    EXPECT_NE(where.find("scope_end_ranks_test.cpp:"), std::string::npos) << where;
  };
  // In checked builds a call is compared before its barrier.
  constexpr bool checks = acre::base::has_checks;
  expect_line(checks ? "waits in hash_map::size at" : "waits in barrier at");
  EXPECT_EQ(map.size(), 0U);
  expect_line("waits in barrier at");
  queue.resize(200);
  expect_line(checks ? "waits in bloom_filter::count at" : "waits in barrier at");
  EXPECT_EQ(filter.fill_ratio(), 0.0);
  expect_line("waits in allgather at");
  const auto array = make_array(acre::world());
  acre::barrier();
}

}  // namespace
