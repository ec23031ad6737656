// SPDX-License-Identifier: BSD-3-Clause
// Errors of collectives that members call differently.
#include <acre/base/checks.hpp>
#include <acre/base/error.hpp>
#include <acre/global/memory/error_of_test.hpp>
#include <acre/global/team/same_call.hpp>
#include <acre/global/team/team.hpp>
#include <acre/runtime/world.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

using acre::rank_t;
using acre::global_test::error_of;

// Mismatches make a team unusable: each case splits one off.
TEST(Mismatch, OfSizesIsReported) {
  const acre::team pair = acre::world().split(acre::rank() < 2 ? 0 : -1);
  if (acre::size() == 1 || !pair) GTEST_SKIP() << "needs two ranks";
  std::vector<int> values(pair.rank() == 0 ? 3 : 2);
  if (pair.rank() == 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    pair.broadcast(std::span(values), 0);
  } else {
    try {
      pair.broadcast(std::span(values), 0);
      FAIL() << "two values were taken for three";
    } catch (const acre::error& mismatch) {
      EXPECT_NE(mismatch.problem().find("12 bytes"), std::string::npos) << mismatch.what();
      EXPECT_NE(mismatch.problem().find("8 bytes"), std::string::npos) << mismatch.what();
    }
  }
}

TEST(Mismatch, OfCollectivesNamesBoth) {
  const acre::team pair = acre::world().split(acre::rank() < 2 ? 0 : -1);
  if (acre::size() == 1 || !pair) GTEST_SKIP() << "needs two ranks";
  if (pair.rank() == 0) {
    pair.broadcast_async(1, 0).get();
    return;
  }
  try {
    static_cast<void>(pair.allgather_async(1).get());
    FAIL() << "a broadcast was taken for an allgather";
  } catch (const acre::error& mismatch) {
    EXPECT_NE(mismatch.problem().find("allgather"), std::string::npos) << mismatch.what();
    EXPECT_NE(mismatch.problem().find("broadcast"), std::string::npos) << mismatch.what();
  }
}

TEST(Mismatch, OfAWaitAndAnotherOneIsAnErrorOnAll) {
  if (acre::size() == 1) GTEST_SKIP() << "needs two ranks";
  const acre::team members = acre::world().split(0);
  try {
    if (acre::rank() == 0) {
      members.barrier();
    } else {
      static_cast<void>(members.allreduce(1));
    }
    FAIL() << "a barrier was taken for an allreduce";
  } catch (const acre::error& mismatch) {
    EXPECT_NE(mismatch.problem().find("allreduce"), std::string::npos) << mismatch.what();
    EXPECT_NE(mismatch.problem().find("barrier"), std::string::npos) << mismatch.what();
  }
  acre::barrier();
}

TEST(Mismatch, OfAsynchronousOnesThatFailInAnyOrderHoldsUpNobody) {
  if (acre::size() < 4) GTEST_SKIP() << "needs four ranks";
  const acre::team members = acre::world().split(acre::rank() < 4 ? 0 : -1);
  int errors = 0;
  const auto ends = [&](auto&& future) {
    try {
      static_cast<void>(future.get());
    } catch (const acre::error&) {
      ++errors;
    }
  };
  if (members) {
    try {
      auto first = members.rank() == 0 ? members.allreduce_async(1) : members.broadcast_async(1, 0);
      if (members.rank() == 2) {
        ends(members.broadcast_async(1L, 1));
      } else {
        ends(members.broadcast_async(1, 1));
      }
      ends(first);
    } catch (const acre::error&) {
      ++errors;
    }
    EXPECT_GE(errors, 1);
  }
  acre::barrier();
}

struct unlucky {
  int operator()(int, int) const { throw std::runtime_error("unlucky"); }
};

TEST(Mismatch, OfAnOperationThatThrowsHoldsUpNobody) {
  if (acre::size() == 1) GTEST_SKIP() << "needs two ranks";
  for (const std::size_t count : {1U, 10'000U}) {
    const acre::team members = acre::world().split(0);
    std::vector<int> values(count);
    EXPECT_THROW(members.allreduce(std::span(values), unlucky{}), std::exception);
    acre::barrier();
    EXPECT_THROW(members.barrier(), acre::error);
  }
  acre::barrier();
}
TEST(CollectivesChecked, RefuseMembersThatNameDifferentRoots) {
  if constexpr (!acre::base::has_checks) GTEST_SKIP() << "needs ACRE_CHECKS";
  if (acre::size() == 1) return;
  const acre::team& world = acre::world();
  const rank_t mine = world.rank();
  std::vector<int> numbers(100, 1);
  const auto expect_error = [&](const std::string& call, const std::function<void()>& mistake) {
    const std::string text = error_of(mistake);
    const std::string other = mine == 0 ? "1" : "0";
    EXPECT_TRUE(text.starts_with(call + ": rank 0 calls ")) << text;
    for (const std::string& root : {std::to_string(mine), other}) {
      EXPECT_NE(text.find("rank " + root + " calls " + call), std::string::npos) << text;
      EXPECT_NE(text.find("(root: " + root + ", values of "), std::string::npos) << text;
    }
    EXPECT_NE(text.find(": they differ in root"), std::string::npos) << text;
    EXPECT_NE(text.find("collectives_ranks_test.cpp:"), std::string::npos) << text;
  };
  expect_error("broadcast", [&] { static_cast<void>(world.broadcast(1, mine)); });
  expect_error("broadcast", [&] { static_cast<void>(world.broadcast(std::string("a"), mine)); });
  expect_error("broadcast", [&] { world.broadcast(std::span(numbers), mine); });
  expect_error("reduce", [&] { static_cast<void>(world.reduce(1, mine)); });
  expect_error("reduce", [&] { world.reduce(std::span(numbers), mine); });
  expect_error("gather", [&] { static_cast<void>(world.gather(1, mine)); });
  expect_error("gather", [&] { static_cast<void>(world.gather(std::string("a"), mine)); });
  expect_error("gatherv", [&] { static_cast<void>(world.gatherv(std::span(numbers), mine)); });
  EXPECT_EQ(world.allreduce(1U), world.size());
}

template <class One, class Other>
void expect_to_differ(const std::string& call, const std::string& in, One&& one, Other&& other) {
  const std::string text = acre::rank() == 0 ? error_of(one) : error_of(other);
  EXPECT_NE(text.find("rank 0 calls " + call), std::string::npos) << text;
  EXPECT_NE(text.find(", but rank "), std::string::npos) << text;
  EXPECT_NE(text.find("they differ in " + in), std::string::npos) << text;
  EXPECT_EQ(acre::world().allreduce(1U), acre::size());
}

TEST(CollectivesChecked, RefuseMembersThatCombineByDifferentOperations) {
  if constexpr (!acre::base::has_checks) GTEST_SKIP() << "needs ACRE_CHECKS";
  if (acre::size() == 1) return;
  const acre::team& world = acre::world();
  using acre::op::max;
  using acre::op::sum;
  std::vector<int> numbers(100, 1);
  const std::pair pair(1.0, 2);
  const auto differ = [&](const std::string& name, auto&& call) {
    expect_to_differ(name, "the operation", [&] { call(sum); }, [&] { call(max); });
  };
  differ("allreduce", [&](auto by) { static_cast<void>(world.allreduce(1, by)); });
  differ("allreduce", [&](auto by) { world.allreduce(std::span(numbers), by); });
  differ("reduce", [&](auto by) { static_cast<void>(world.reduce(1, 0, by)); });
  differ("reduce", [&](auto by) { world.reduce(std::span(numbers), 0, by); });
  differ("inclusive_scan", [&](auto by) { static_cast<void>(world.inclusive_scan(1, by)); });
  differ("exclusive_scan", [&](auto by) { static_cast<void>(world.exclusive_scan(1, 0, by)); });
  expect_to_differ(
      "allreduce", "the operation",
      [&] { static_cast<void>(world.allreduce(pair, acre::op::min)); },
      [&] { static_cast<void>(world.allreduce(pair, max)); });
  const auto add = [](int a, int b) { return a + b; };
  const auto also_add = [](int a, int b) { return b + a; };
  const int all = acre::rank() == 0 ? world.allreduce(1, add) : world.allreduce(1, also_add);
  EXPECT_EQ(all, static_cast<int>(acre::size()));
  for (const int each : numbers) EXPECT_EQ(each, 1);
}

TEST(CollectivesChecked, RefuseMembersWithValuesOfDifferentTypes) {
  if constexpr (!acre::base::has_checks) GTEST_SKIP() << "needs ACRE_CHECKS";
  if (acre::size() == 1) return;
  const acre::team& world = acre::world();
  std::vector<std::uint32_t> numbers(acre::size(), 1);
  std::vector<float> fractions(acre::size(), 1);
  const auto differ = [&](const std::string& name, auto&& call) {
    expect_to_differ(
        name, "the type of the values", [&] { static_cast<void>(call(std::uint32_t{1})); },
        [&] { static_cast<void>(call(1.0F)); });
  };
  const auto differ_in_place = [&](const std::string& name, auto&& call) {
    expect_to_differ(
        name, "the type of the values", [&] { static_cast<void>(call(std::span(numbers))); },
        [&] { static_cast<void>(call(std::span(fractions))); });
  };
  differ("allreduce (values of unsigned int)", [&](auto x) { return world.allreduce(x); });
  differ("reduce", [&](auto x) { return world.reduce(x, 0); });
  differ("broadcast", [&](auto x) { return world.broadcast(x, 0); });
  differ("inclusive_scan", [&](auto x) { return world.inclusive_scan(x); });
  differ("exclusive_scan", [&](auto x) { return world.exclusive_scan(x); });
  differ("gather", [&](auto x) { return world.gather(x, 0); });
  differ("allgather", [&](auto x) { return world.allgather(x); });
  differ("broadcast", [&](auto x) { return world.broadcast(std::vector(2, x), 0); });
  differ("alltoallv",
         [&](auto x) { return world.alltoallv(std::vector(acre::size(), std::vector(2, x))); });
  differ_in_place("allreduce", [&](auto x) { return world.allreduce(x), 0; });
  differ_in_place("reduce", [&](auto x) { return world.reduce(x, 0), 0; });
  differ_in_place("broadcast", [&](auto x) { return world.broadcast(x, 0), 0; });
  differ_in_place("gatherv", [&](auto x) { return world.gatherv(x, 0); });
  differ_in_place("allgatherv", [&](auto x) { return world.allgatherv(x); });
  differ_in_place("alltoall", [&](auto x) { return world.alltoall(x); });
  expect_to_differ(
      "allreduce (values of int)", "the type of the values",
      [&] { static_cast<void>(world.allreduce(1)); },
      [&] { static_cast<void>(world.allreduce(1.0)); });
}

template <class Call>
std::string error_against_a_barrier(Call&& call) {
  const acre::team team = acre::world().split(0);
  return error_of([&] {
    if (team.rank() == 0) {
      team.barrier();
    } else {
      call(team);
    }
  });
}

TEST(Collectives, NameTheCallersLineWhenTheyCannotHappen) {
  if (acre::size() == 1) return;
  const std::string text =
      error_against_a_barrier([](auto& team) { static_cast<void>(team.allreduce(1)); });
  const std::size_t place = text.find(" at ");
  ASSERT_NE(place, std::string::npos) << text;
  EXPECT_NE(text.find("collectives_ranks_test.cpp:", place), std::string::npos) << text;
  EXPECT_EQ(text.find(" at ", place + 1), std::string::npos) << text;
}

TEST(SameCall, SmokeComparesNamesAndArgumentsOnAllMembers) {
  using acre::global::common_call;
  const acre::team& world = acre::world();
  const bool is_last = world.rank() == world.size() - 1;
  const auto here = acre::site::current();
  const auto text_of_calls = [&](const common_call& mine) {
    return error_of([&] { acre::global::require_same_call(world, mine); });
  };
  for (int round = 0; round < 3; ++round) {
    const auto where = is_last ? acre::site::current() : here;
    EXPECT_EQ(text_of_calls(common_call("mix", where).with("by", 3)), "no error");
    if (world.size() == 1) continue;
    const std::string last = "rank " + std::to_string(world.size() - 1);
    const auto expect = [&](const std::string& text, const std::string& what) {
      EXPECT_NE(text.find(what), std::string::npos) << text;
      EXPECT_NE(text.find("collectives_ranks_test.cpp:"), std::string::npos) << text;
      EXPECT_NE(text.find(last + " calls "), std::string::npos) << text;
    };
    expect(text_of_calls(common_call("mix", here).with("by", is_last ? 3 : 4)), "(by: 3)");
    expect(text_of_calls(common_call("mix", here).with("by", is_last ? 3 : 4)), "(by: 4)");
    expect(text_of_calls(common_call("mix", here).with_identity("the bowl", is_last ? 3 : 4)),
           ": they differ in the bowl");
    expect(text_of_calls(common_call("mix", here)
                             .with_type("elements of", is_last ? typeid(int) : typeid(double))),
           "(elements of double)");
    const std::string names = text_of_calls(common_call(is_last ? "mix" : "stir", here));
    expect(names, "rank " + std::to_string(is_last ? 0 : world.rank()) + " calls stir at ");
    expect(names, last + " calls mix at ");
  }
  EXPECT_EQ(world.allreduce(1U), world.size());
}

TEST(SameCall, IsNamedToMembersThatAreInAnotherCollective) {
  if (acre::size() == 1) return;
  const std::string text = error_against_a_barrier(
      [](auto& team) { acre::global::require_same_call(team, {"mix", acre::site::current()}); });
  EXPECT_NE(text.find("barrier"), std::string::npos) << text;
  EXPECT_TRUE(text.find("mix") != std::string::npos ||
              text.find("the start of a call") != std::string::npos)
      << text;
}

}  // namespace
