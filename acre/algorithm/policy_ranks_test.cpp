// SPDX-License-Identifier: BSD-3-Clause
#include <acre/algorithm/policy.hpp>
#include <acre/array/array.hpp>
#include <acre/array/matrix.hpp>
#include <acre/base/error.hpp>
#include <acre/layout/distribution.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <mutex>
#include <ranges>
#include <set>
#include <stdexcept>
#include <thread>

namespace {

TEST(InThreads, CallsEachPartOnceAlsoInTheMiddleOfAnotherCall) {
  std::atomic<int> parts = 0;
  for (unsigned count = 0; count < 200; ++count) {
    acre::algorithm::in_threads(count % 5,
                                [&](unsigned part) { parts += static_cast<int>(part) + 1; });
  }
  EXPECT_EQ(parts, 40 * (0 + 1 + 3 + 6 + 10));
  parts = 0;
  acre::algorithm::in_threads(
      3, [&](unsigned) { acre::algorithm::in_threads(2, [&](unsigned) { ++parts; }); });
  EXPECT_EQ(parts, 6);
}

TEST(InThreads, ThrowsWhatAPartThrewWhenAllAreDone) {
  std::atomic<int> done = 0;
  EXPECT_THROW(acre::algorithm::in_threads(4,
                                           [&](unsigned part) {
                                             if (part == 2) throw std::runtime_error("no");
                                             ++done;
                                           }),
               std::runtime_error);
  EXPECT_EQ(done, 3);
}

TEST(Policies, GiveEachThreadItsShare) {
  acre::array<int> numbers(acre::world(), 300 * acre::size(), 1);
  std::mutex lock;
  std::set<std::thread::id> threads;
  acre::for_each(acre::par.on(3), numbers, [&](int& each) {
    ++each;
    const std::lock_guard hold(lock);
    threads.insert(std::this_thread::get_id());
  });
  EXPECT_EQ(threads.size(), 3U);
  EXPECT_EQ(acre::reduce_on_all(acre::par.on(4), numbers), 600 * static_cast<int>(acre::size()));
  EXPECT_GE(acre::par.threads(), 1U);
}

TEST(Policies, MakeNoDifferenceToWhatIsComputed) {
  const std::size_t size = 4500 * acre::size() + 7;
  auto dealt = acre::make_matrix<long>(
      acre::world(), acre::make_distribution({size}, acre::size(), acre::dist::cyclic));
  acre::array<long> line(acre::world(), size, 0);
  acre::generate_with_index(acre::par.on(3), dealt,
                            [](std::size_t i) { return static_cast<long>(i); });
  acre::transform(acre::par.on(2), dealt, line, [](long each) { return 2 * each; });
  const auto n = static_cast<long>(size);
  EXPECT_EQ(acre::reduce_on_all(acre::par.on(3), line), n * (n - 1));
  EXPECT_EQ(acre::count_if_on_all(acre::par.on(5), dealt, [](long each) { return each % 2 == 0; }),
            (size + 1) / 2);
  acre::transform(acre::par.on(2), line, dealt, line, [](long a, long b) { return a - 2 * b; });
  EXPECT_EQ(acre::count_if_on_all(acre::seq, line, [](long each) { return each != 0; }), 0U);
  acre::fill(acre::par.on(2), dealt | std::views::take(3), 5);
  EXPECT_EQ(acre::reduce_on_all(dealt | std::views::take(3)), 15);
}

TEST(Policies, FailOnAllMembersWhereAThreadOfOneThrows) {
  acre::array<int> numbers(acre::world(), 8 * acre::size(), 1);
  const bool throws = acre::rank() == 0;
  const auto holds = [&](int) -> bool {
    if (throws) throw std::runtime_error("on one");
    return false;
  };
  if (throws) {
    EXPECT_THROW(static_cast<void>(acre::count_if_on_all(acre::par.on(2), numbers, holds)),
                 std::runtime_error);
  } else {
    EXPECT_THROW(static_cast<void>(acre::count_if_on_all(acre::par.on(2), numbers, holds)),
                 acre::error);
  }
}

}  // namespace
