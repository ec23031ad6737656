// SPDX-License-Identifier: BSD-3-Clause
// Calls refused in served functions and forked children.
#include <acre/acre.hpp>
#include <acre/base/error.hpp>
#include <acre/base/failure_of_test.hpp>
#include <acre/global/team/allocate.hpp>
#include <acre/global/team/pairwise_barrier.hpp>
#include <acre/global/team/symmetric_array.hpp>
#include <acre/global/transfer/completion.hpp>
#include <acre/global/transfer/put_then.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace {

using acre::world;
using acre::base_test::problem_of;

acre::rank_t next_rank() { return (acre::rank() + 1) % acre::size(); }

struct collective {
  const char* name;
  void (*call)();
};

std::vector<int>& one_for_each() {
  static std::vector<int> values;
  values.assign(acre::size(), 1);
  return values;
}

std::optional<acre::pairwise_barrier> pairs;

const collective collectives[] = {
    {"barrier", [] { acre::barrier(); }},
    {"barrier", [] { acre::node().barrier(); }},
    {"barrier", [] { world().barrier_async().get(); }},
    {"drain", [] { acre::drain(); }},
    {"team::split", [] { static_cast<void>(world().split(0)); }},
    {"team::cartesian", [] { static_cast<void>(acre::team::cartesian({acre::size()})); }},
    {"broadcast", [] { static_cast<void>(world().broadcast(1, 0)); }},
    {"broadcast", [] { static_cast<void>(world().broadcast(std::string("one"), 0)); }},
    {"broadcast", [] { static_cast<void>(world().broadcast_async(1, 0).get()); }},
    {"allreduce", [] { static_cast<void>(world().allreduce(1)); }},
    {"allreduce", [] { static_cast<void>(world().allreduce_async(1).get()); }},
    {"reduce", [] { static_cast<void>(world().reduce(1, 0)); }},
    {"reduce", [] { static_cast<void>(world().reduce_async(1, 0).get()); }},
    {"scan", [] { static_cast<void>(world().inclusive_scan(1)); }},
    {"scan", [] { static_cast<void>(world().exclusive_scan(1)); }},
    {"scan", [] { static_cast<void>(world().inclusive_scan_async(1).get()); }},
    {"gather", [] { static_cast<void>(world().gather(1, 0)); }},
    {"gather", [] { static_cast<void>(world().gather_async(1, 0).get()); }},
    {"gather", [] { static_cast<void>(world().gatherv(std::span(one_for_each()), 0)); }},
    {"allgather", [] { static_cast<void>(world().allgather(1)); }},
    {"allgather", [] { static_cast<void>(world().allgather(std::string("one"))); }},
    {"allgather", [] { static_cast<void>(world().allgather_async(1).get()); }},
    {"allgather", [] { static_cast<void>(world().allgatherv(std::span(one_for_each()))); }},
    {"alltoall", [] { static_cast<void>(world().alltoall(std::span(one_for_each()))); }},
    {"alltoall",
     [] { static_cast<void>(world().alltoall_async(std::span(one_for_each())).get()); }},
    {"alltoall", [] { static_cast<void>(world().alltoallv(one_for_each())); }},
    {"alltoall", [] { static_cast<void>(world().alltoallv_async(one_for_each()).get()); }},
    {"symmetric_array", [] { acre::symmetric_array<int>(world(), 3); }},
    {"allocate_symmetric", [] { static_cast<void>(acre::allocate_symmetric<int>(3)); }},
    {"dist_object", [] { acre::dist_object<int>(world(), 3); }},
    {"pairwise_barrier::sync", [] { pairs->sync(std::array{acre::rank()}); }},
};

void expect_refusal(const std::string& problem, const char* name, const char* inside) {
  EXPECT_NE(problem.find(std::string(": ") + name + ": a collective call inside " + inside +
                         std::to_string(acre::rank()) + " is refused"),
            std::string::npos)
      << name << ": " << problem;
}

constexpr const char* in_rpc = "an RPC of rank ";

TEST(ServedCall, RefusesEachCollectiveByNameAtTheCallersGet) {
  pairs.emplace(world());
  for (std::size_t each = 0; each < std::size(collectives); ++each) {
    const std::string problem = problem_of([&] {
      acre::rpc(next_rank(), [](std::size_t which) { collectives[which].call(); }, each).get();
    });
    expect_refusal(problem, collectives[each].name, in_rpc);
  }
  acre::barrier();
  EXPECT_EQ(world().allreduce(1U), acre::size());
  const acre::dist_object<acre::rank_t> mine(world(), acre::rank());
  auto theirs = acre::rpc(
      next_rank(), [](const acre::dist_object<acre::rank_t>& object) { return *object; }, mine);
  EXPECT_EQ(theirs.get(), next_rank());
  acre::barrier();
  pairs.reset();
}

acre::task<> barrier_after_a_wait(acre::global_ptr<int> from) {
  static_cast<void>(co_await acre::get_async(from));
  static_cast<void>(co_await acre::rpc(next_rank(), [] { return 1; }));
  acre::barrier();
}

TEST(ServedCall, RefusesThemInWhatTheFunctionContinuesWith) {
  const auto here = acre::allocate<int>(1);
  acre::put(here, 3);
  acre::barrier();
  expect_refusal(problem_of([&] { acre::rpc(next_rank(), barrier_after_a_wait, here).get(); }),
                 "barrier", in_rpc);
  const auto then_allreduce = [](acre::global_ptr<int> from) {
    return acre::get_async(from)
        .then([](int) { return acre::rpc(acre::rank(), [] { return 1; }); })
        .then([](int one) { return world().allreduce_async(one); });
  };
  expect_refusal(problem_of([&] { acre::rpc(next_rank(), then_allreduce, here).get(); }),
                 "allreduce", in_rpc);
  acre::barrier();
  acre::deallocate(here);
}

TEST(ServedCall, RefusesThemInACallOfADistributedObjectAndInNestedCalls) {
  acre::dist_object<int> object(world(), 1);
  expect_refusal(
      problem_of([&] {
        acre::rpc(next_rank(), [](acre::dist_object<int>&) { acre::barrier(); }, object).get();
      }),
      "barrier", in_rpc);
  // The outer call's wait runs the inner call of another rank.
  const auto outer = [] {
    const std::string inner = problem_of(
        [] { acre::rpc(next_rank(), [] { static_cast<void>(world().allreduce(1)); }).get(); });
    expect_refusal(inner, "allreduce", in_rpc);
    acre::barrier();
  };
  expect_refusal(problem_of([&] { acre::rpc(next_rank(), outer).get(); }), "barrier", in_rpc);
  acre::barrier();
}

std::optional<acre::promise<>> flag;

TEST(ServedCall, LetsTheProgramGoOnWithACollectiveWhereAnRpcFulfilsItsPromise) {
  flag.emplace();
  auto sum = flag->get_future().then([] { return world().allreduce_async(1U); });
  acre::barrier();
  acre::rpc(next_rank(), [] { flag->set_value(); }).get();
  EXPECT_EQ(sum.get(), acre::size());
  acre::barrier();
  flag.reset();
}

template <class F>
bool is_refused(F&& call) {
  try {
    call();
  } catch (const acre::error& failure) {
    return failure.problem().find("fork()") != std::string::npos;
  }
  return false;
}

int count_what_goes_through(acre::global_ptr<int> there) {
  int through = 0;
  const auto expect_refused = [&](auto&& call) { through += is_refused(call) ? 0 : 1; };
  expect_refused([] { acre::rpc(next_rank(), [] { return 1; }).get(); });
  expect_refused([] { acre::rpc_ff(next_rank(), [] {}); });
  expect_refused([] { acre::barrier(); });
  expect_refused([] { static_cast<void>(world().allreduce_async(1).get()); });
  expect_refused([] {
    acre::promise<> never;
    never.get_future().get();
  });
  expect_refused([&] { acre::put(there, 5); });
  expect_refused([&] { static_cast<void>(acre::get(there)); });
  expect_refused([&] { acre::fetch_add(there, 5); });
  expect_refused([&] { acre::put(there, 5, acre::then_at_target([] {})); });
  return through;
}

TEST(ServedCall, RefusesCallsOfAForkedChildAndLeavesItsRankAlone) {
  const auto mine = acre::allocate<int>(1);
  acre::put(mine, 1);
  const auto all = world().allgather(mine);
  const auto there = all[next_rank()];
  acre::put(there, 1);
  acre::barrier();
  int* const plain = mine.local();
  for (int child = 0; child < 3; ++child) {
    const pid_t made = ::fork();
    ASSERT_GE(made, 0);
    if (made == 0) {
      *plain = -1;
      ::_exit(count_what_goes_through(there));
    }
    int status = 0;
    ASSERT_EQ(::waitpid(made, &status, 0), made);
    EXPECT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
    EXPECT_EQ(WEXITSTATUS(status), 0);
    EXPECT_EQ(*plain, 1 + child);
    EXPECT_EQ(acre::rpc(next_rank(), [](int x) { return x + 1; }, child).get(), child + 1);
    acre::barrier();
    acre::put(there, 2 + child);
    acre::barrier();
    EXPECT_EQ(acre::get(mine), 2 + child);
    acre::barrier();
  }
  acre::deallocate(mine);
}

}  // namespace
