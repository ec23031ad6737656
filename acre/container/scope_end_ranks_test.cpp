// SPDX-License-Identifier: BSD-3-Clause
// Scopes left by an exception.
#include <acre/acre.hpp>
#include <acre/container/every_container_test.hpp>
#include <acre/runtime/stall_watch.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <concepts>
#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace {

struct oops {};

using acre::container::named_container;

constexpr named_container map_of_texts{
    "hash_map of texts",
    []<class T>(std::type_identity<T>, const acre::team& t, const acre::site& at) {
      return acre::hash_map<std::string, std::string>(t, 100, acre::growth::manual, at);
    }};
constexpr named_container lock{
    "global_lock", []<class T>(std::type_identity<T>, const acre::team& t, const acre::site& at) {
      return acre::global_lock(t, {}, at);
    }};

template <class Containers, class... More>
struct with;
template <class... Each, class... More>
struct with<const std::tuple<Each...>, More...> {
  using types = testing::Types<Each..., More...>;
};

template <class Container>
auto make(const acre::team& t, const acre::site& at = acre::site::current()) {
  return Container{}.template make<std::uint64_t>(t, at);
}

template <class Container>
class ScopeEnd : public testing::Test {};
using containers = with<decltype(acre::container::every_container), decltype(map_of_texts)>::types;
TYPED_TEST_SUITE(ScopeEnd, containers);

TYPED_TEST(ScopeEnd, ByAnExceptionOfOneRankHoldsUpNobody) {
  for (acre::rank_t thrower = 0; thrower < acre::size(); ++thrower) {
    try {
      const auto made = make<TypeParam>(acre::world());
      if (acre::rank() == thrower) throw oops();
    } catch (const oops&) {
    }
    EXPECT_EQ(acre::world().allreduce(1), static_cast<int>(acre::size()));
    const auto again = make<TypeParam>(acre::world());
  }
}

TYPED_TEST(ScopeEnd, ByExceptionsOfAllRanksHoldsUpNobody) {
  try {
    const auto made = make<TypeParam>(acre::world());
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
    const auto made = make<TypeParam>(members);
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
  EXPECT_THROW(members.barrier(), acre::error);
  acre::barrier();
}

std::string await_whereabouts(const std::string& part) {
  std::string where;
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  do {
    acre::progress();
    where = acre::runtime::where_is(1);
  } while (where.find(part) == std::string::npos && std::chrono::steady_clock::now() < give_up);
  return where;
}

template <class Container>
class ScopeEndSite : public testing::Test {};
using containers_and_lock = with<decltype(acre::container::every_container), decltype(lock)>::types;
TYPED_TEST_SUITE(ScopeEndSite, containers_and_lock);

TYPED_TEST(ScopeEndSite, TellsTheStallWatchWhereTheContainerWasMade) {
  if (acre::size() < 2) GTEST_SKIP() << "it takes two";
  using container = decltype(make<TypeParam>(acre::world()));
  const auto look = [] {
    if (acre::rank() != 0) return;
    const std::string where = await_whereabouts("waits in the destructor of the ");
    EXPECT_NE(where.find("scope_end_ranks_test.cpp:"), std::string::npos) << where;
  };
  {
    container made = make<TypeParam>(acre::world());
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
  acre::hash_map<int, int> map(acre::world(), 100);
  acre::circular_queue<int> queue(acre::world(), acre::hosted_by{0}, 100);
  const acre::bloom_filter<int> filter(acre::world(), 100, 0.01);
  const auto expect_line = [](const char* part) {
    if (acre::rank() != 0) return;
    const std::string where = await_whereabouts(part);
    EXPECT_NE(where.find("scope_end_ranks_test.cpp:"), std::string::npos) << where;
  };
  // Checked builds compare the call before its barrier.
  constexpr bool checks = acre::base::has_checks;
  expect_line(checks ? "waits in hash_map::size at" : "waits in barrier at");
  EXPECT_EQ(map.size(), 0U);
  expect_line("waits in barrier at");
  queue.resize(200);
  expect_line(checks ? "waits in bloom_filter::count at" : "waits in barrier at");
  EXPECT_EQ(filter.fill_ratio(), 0.0);
  expect_line("waits in allgather at");
  const acre::array<int> array(acre::world(), 100);
  acre::barrier();
}

}  // namespace
