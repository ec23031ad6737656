// SPDX-License-Identifier: BSD-3-Clause
#include <acre/acre.hpp>
#include <acre/container/phase_record.hpp>

#include <gtest/gtest.h>

#include <string>

namespace {

using namespace acre::guarantees;
using acre::container_operation;
using acre::phase_entry;
using acre::phase_record;

template <class Guarantee = acre::no_guarantee>
phase_entry now(container_operation operation, Guarantee guarantee = {}) {
  return phase_entry::of(acre::world(), operation, guarantee);
}

std::string failure_of(phase_record& record, phase_entry entry) {
  try {
    record.note("test", entry);
  } catch (const acre::error& broken) {
    return broken.problem();
  }
  return {};
}

TEST(PhaseRecord, TakesWhatIsGuaranteedAndDone) {
  phase_record record{};
  EXPECT_EQ(failure_of(record, now(find, only<find>)), "");
  EXPECT_EQ(failure_of(record, now(find)), "");
  EXPECT_EQ(failure_of(record, now(find, only<find, insert>)), "");
  acre::barrier();
}

TEST(PhaseRecord, NoticesWhatAGuaranteeExcludes) {
  phase_record record{};
  record.note("test", now(find, only<find>));
  EXPECT_NE(failure_of(record, now(insert)).find("only<find>"), std::string::npos);
  phase_record other{};
  other.note("test", now(insert));
  EXPECT_NE(failure_of(other, now(find, only<find>)), "");
  acre::barrier();
}

TEST(PhaseRecord, ForgetsAtACollective) {
  phase_record record{};
  record.note("test", now(find, only<find>));
  acre::barrier();
  EXPECT_EQ(failure_of(record, now(insert, only<insert>)), "");
  static_cast<void>(acre::world().allreduce(1));
  EXPECT_EQ(failure_of(record, now(find, only<find>)), "");
  acre::world().barrier_async().wait();
  EXPECT_EQ(failure_of(record, now(insert)), "");
  acre::barrier();
}

TEST(PhaseRecord, LeavesALatePhaseAlone) {
  phase_record record{};
  const phase_entry late = now(insert);
  acre::barrier();
  record.note("test", now(find, only<find>));
  EXPECT_EQ(failure_of(record, late), "");
  EXPECT_EQ(failure_of(record, now(find)), "");
  acre::barrier();
}

TEST(PhaseRecord, NoticesASecondUserOfWhatIsLocal) {
  phase_record record{};
  record.note("test", now(insert, local));
  EXPECT_EQ(failure_of(record, now(find, local)), "");
  const phase_entry foreign(now(insert).bits() + (std::uint64_t{1} << 16));
  EXPECT_NE(failure_of(record, foreign).find("local"), std::string::npos);
  acre::barrier();
}

}  // namespace
