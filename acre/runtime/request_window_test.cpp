// SPDX-License-Identifier: BSD-3-Clause
#include <acre/runtime/request_window.hpp>

#include <gtest/gtest.h>

#include <cstdint>

namespace {

using namespace acre::runtime;

class RequestWindow : public testing::Test {
 protected:
  RequestWindow() : before_(windows_of_requests) { windows_of_requests.window = 100; }
  ~RequestWindow() override { windows_of_requests = before_; }
  account at_sender{0};
  account at_target{0};

 private:
  request_windows before_;
};

TEST_F(RequestWindow, IsOpenUntilItsBytesAreUnderWay) {
  for (std::uint32_t sent = 0; sent < 100; sent += 10) {
    EXPECT_TRUE(has_room(at_sender));
    charge(at_sender, 10);
  }
  EXPECT_FALSE(has_room(at_sender));
  discharge(at_sender, 1);
  EXPECT_TRUE(has_room(at_sender));
}

TEST_F(RequestWindow, LetsOneMessageThroughThatIsLarger) {
  EXPECT_TRUE(has_room(at_sender));
  charge(at_sender, 1'000'000);
  EXPECT_FALSE(has_room(at_sender));
  discharge(at_sender, 1'000'000);
  EXPECT_EQ(at_sender.load(), 0U);
}

TEST_F(RequestWindow, IsOpenAgainWhenAllHasRunThoughNotAllWasTold) {
  std::uint32_t sent = 0;
  while (has_room(at_sender)) {
    charge(at_sender, 7);
    sent += 7;
  }
  std::uint32_t told = 0;
  for (std::uint32_t run = 0; run < sent; run += 7) {
    if (note_run(at_target, 7)) told += take_run(at_target, UINT32_MAX);
  }
  EXPECT_LT(told, sent);
  discharge(at_sender, told);
  EXPECT_TRUE(has_room(at_sender));
}

TEST_F(RequestWindow, TellsInPiecesWhatAHeaderCannotHold) {
  charge(at_target, 5);
  EXPECT_TRUE(note_run(at_target, 100'000));
  EXPECT_EQ(take_run(at_target, UINT16_MAX), UINT16_MAX);
  EXPECT_EQ(take_run(at_target, UINT16_MAX), 100'000U - UINT16_MAX);
  EXPECT_EQ(take_run(at_target, UINT16_MAX), 0U);
  put_back_run(at_target, 3);
  EXPECT_EQ(take_run(at_target, UINT16_MAX), 3U);
  EXPECT_EQ(at_target.load(), 5U);
}

TEST_F(RequestWindow, IsBoundedForAnyNumberOfRanks) {
  for (std::size_t ranks = 1; ranks <= (std::size_t{1} << 13); ranks *= 2) {
    EXPECT_LE(ranks * window_bytes(ranks), std::size_t{32} << 20) << ranks;
  }
  EXPECT_EQ(window_bytes(std::size_t{1} << 20), 4096U);
  EXPECT_EQ(window_bytes(0), std::size_t{1} << 20);
}

TEST_F(RequestWindow, OpensAgainInJobsOfAnySize) {
  for (std::size_t ranks = 2; ranks <= (std::size_t{1} << 20); ranks *= 2) {
    windows_of_requests.window = window_of_job(ranks);
    account sender{0};
    account target{0};
    std::uint32_t under_way = 0;
    while (has_room(sender)) {
      charge(sender, 1);
      ++under_way;
    }
    for (; under_way != 0; --under_way) {
      if (note_run(target, 1)) discharge(sender, take_run(target, UINT32_MAX));
    }
    EXPECT_TRUE(has_room(sender)) << ranks;
  }
}

}  // namespace
