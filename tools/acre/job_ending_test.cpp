// SPDX-License-Identifier: BSD-3-Clause
#include "job_ending.hpp"

#include "end_of_rank.hpp"

#include <gtest/gtest.h>

#include <csignal>

namespace acre::tool {
namespace {

using std::chrono::milliseconds;

constexpr clock::time_point start{milliseconds(1000)};

failure_report with(evidence weight, int status, milliseconds wait = settling) {
  return {{status, weight, "because\n"}, wait};
}

TEST(JobEnding, WaitsAsLongAsItsFirstReasonAllows) {
  job_ending ending;
  EXPECT_EQ(ending.deadline(), clock::time_point::max());
  ending.report_failure(with(evidence::silence, 1, disconnect_grace), start);
  EXPECT_FALSE(ending.is_due(start));
  EXPECT_EQ(ending.deadline(), start + disconnect_grace);
  ending.report_failure(with(evidence::complaint, 3), start);
  EXPECT_TRUE(ending.is_due(start + settling));
  EXPECT_EQ(ending.status(), 3);
}

TEST(JobEnding, KeepsTheVerdictOfBetterEvidence) {
  job_ending ending;
  ending.report_failure(with(evidence::departure, 1), start);
  ending.report_failure(with(evidence::complaint, 2), start);
  ending.report_failure(with(evidence::departure, 3), start);
  EXPECT_EQ(ending.status(), 1);
  ending.report_failure(with(evidence::proof, 4), start);
  EXPECT_EQ(ending.status(), 4);
}

TEST(JobEnding, ShowsItsLineOnceAndTakesNoMoreReasons) {
  job_ending ending;
  ending.report_failure(with(evidence::complaint, 2), start);
  EXPECT_EQ(ending.begin(), "because\n");
  EXPECT_EQ(ending.begin(), "");
  EXPECT_FALSE(ending.is_pending());
  ending.report_failure(with(evidence::proof, 4), start);
  ending.leave(5);
  EXPECT_EQ(ending.status(), 2);
}

TEST(JobEnding, KillsAfterGrace) {
  job_ending ending;
  ending.kill_after_grace(start);
  EXPECT_EQ(ending.deadline(), start + grace);
  EXPECT_FALSE(ending.is_time_to_kill(start));
  EXPECT_TRUE(ending.is_time_to_kill(start + grace));
  ending.kill_no_more();
  EXPECT_FALSE(ending.is_time_to_kill(start + 2 * grace));
}

std::optional<failure_report> reason(int how, int asked, pmi_server::stage stage) {
  return reason_of({"acre: rank 3", how, asked, stage}, memory_watch());
}

constexpr int exited_with(int status) { return status << 8; }

TEST(EndOfRank, IsNoReasonWhereTheRankLeftInOrder) {
  EXPECT_FALSE(reason(exited_with(0), 0, pmi_server::stage::finished));
  EXPECT_FALSE(reason(exited_with(0), 0, pmi_server::stage::outside));
}

TEST(EndOfRank, NamesStatusOrSignal) {
  const auto failed = reason(exited_with(7), 0, pmi_server::stage::inside);
  ASSERT_TRUE(failed);
  EXPECT_EQ(failed->found.status, 7);
  EXPECT_EQ(failed->found.line, "acre: rank 3 exited with status 7; ending the job\n");
  const auto aborted = reason(SIGABRT, 0, pmi_server::stage::inside);
  ASSERT_TRUE(aborted);
  EXPECT_EQ(aborted->found.status, 128 + SIGABRT);
  EXPECT_EQ(aborted->found.weight, evidence::abortion);
  EXPECT_EQ(aborted->found.line, "acre: rank 3 was killed by signal 6 (Aborted); ending the job\n");
  const auto left = reason(exited_with(0), 0, pmi_server::stage::inside);
  ASSERT_TRUE(left);
  EXPECT_EQ(left->found.weight, evidence::departure);
}

TEST(EndOfRank, HasNoLineWhereTheUserAskedForIt) {
  for (const int how : {SIGTERM, exited_with(128 + SIGTERM), exited_with(0)}) {
    const auto asked = reason(how, SIGTERM, pmi_server::stage::inside);
    ASSERT_TRUE(asked);
    EXPECT_EQ(asked->found.status, 128 + SIGTERM);
    EXPECT_EQ(asked->found.line, "");
  }
}

}  // namespace
}  // namespace acre::tool
