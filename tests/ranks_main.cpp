// SPDX-License-Identifier: BSD-3-Clause
// main() of tests on many ranks, in lockstep, with barriers between tests. Rank 0 reports as
// GoogleTest; others print failures only.
#include <acre/global/team/team.hpp>
#include <acre/launch/job.hpp>

#include <gtest/gtest.h>

#include <cstdio>
#include <string>

namespace {

class failure_printer : public testing::EmptyTestEventListener {
  void OnTestPartResult(const testing::TestPartResult& result) override {
    if (!result.failed()) return;
    const std::string text = "[ rank " + std::to_string(acre::rank()) + " ] " +
                             (result.file_name() != nullptr ? result.file_name() : "") + ":" +
                             std::to_string(result.line_number()) + ": " + result.message() + "\n";
    std::fwrite(text.data(), 1, text.size(), stderr);
  }
};

class barrier_between_tests : public testing::EmptyTestEventListener {
  void OnTestEnd(const testing::TestInfo&) override { acre::barrier(); }
};

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const acre::job job;
  auto& listeners = testing::UnitTest::GetInstance()->listeners();
  if (acre::rank() != 0) delete listeners.Release(listeners.default_result_printer());
  listeners.Append(new failure_printer);
  listeners.Append(new barrier_between_tests);
  const int failed = RUN_ALL_TESTS();
  return acre::world().allreduce(failed, [](int a, int b) { return a > b ? a : b; });
}
