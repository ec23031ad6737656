// SPDX-License-Identifier: BSD-3-Clause
#include <acre/runtime/detail/inbox.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <thread>

namespace {

using namespace acre::runtime;

class Inbox : public testing::Test {
 protected:
  queued_message* letter_from(acre::rank_t source, std::uint32_t units = 1) {
    queued_message* const made =
        queued_message::make(pool_, {.payload_bytes = 0, .source = source});
    made->units = units;
    return made;
  }
  acre::rank_t pop(bool requests_too = true) {
    const inbox::work next = box_.pop(requests_too);
    const std::unique_ptr<queued_message> owned(next.mail);
    return owned == nullptr ? no_message : owned->header.source;
  }

  static constexpr acre::rank_t no_message = 1000;
  byte_pool pool_;
  inbox box_;
};

TEST_F(Inbox, GivesTasksThenAnswersThenRequestsEachInOrder) {
  deferred_task task;
  box_.append_request(letter_from(1));
  box_.append_request(letter_from(2));
  box_.append_answer(letter_from(3));
  box_.append(task);
  EXPECT_EQ(box_.size(), 4U);
  EXPECT_EQ(box_.pop(true).task, &task);
  EXPECT_EQ(pop(), 3U);
  EXPECT_EQ(pop(), 1U);
  EXPECT_EQ(pop(), 2U);
  EXPECT_EQ(pop(), no_message);
  EXPECT_EQ(box_.size(), 0U);
}

TEST_F(Inbox, HasTasksForTheEndThatOnlyTheEndTakes) {
  box_.admit_requests();
  deferred_task task;
  box_.append_at_end(task);
  EXPECT_TRUE(box_.is_open());
  EXPECT_TRUE(box_.has_work_for(inbox::share::all_but_requests));
  EXPECT_FALSE(box_.has_work_for(inbox::share::nothing));
  EXPECT_EQ(box_.pop(true).task, nullptr);
  EXPECT_EQ(box_.pop_at_end(), &task);
  EXPECT_EQ(box_.pop_at_end(), nullptr);
  EXPECT_TRUE(box_.is_clear());
}

TEST_F(Inbox, CountsTheBytesOfLettersThatWait) {
  queued_message* const kept = letter_from(1);
  const std::size_t bytes = kept->bytes();
  box_.append_request(kept);
  box_.append_answer(letter_from(1));
  EXPECT_EQ(box_.bytes(), 2 * bytes);
  EXPECT_EQ(pop(), 1U);
  EXPECT_EQ(pop(), 1U);
  EXPECT_EQ(box_.bytes(), 0U);
}

TEST_F(Inbox, KeepsRequestsUntilTheyAreAdmitted) {
  box_.append_request(letter_from(1));
  EXPECT_TRUE(box_.has_gate());
  EXPECT_FALSE(box_.is_open());
  EXPECT_EQ(box_.share_of_this_thread(), inbox::share::all_but_requests);
  EXPECT_FALSE(box_.has_work_for(inbox::share::all_but_requests));
  EXPECT_EQ(pop(false), no_message);
  box_.admit_requests();
  EXPECT_TRUE(box_.is_open());
  EXPECT_FALSE(box_.is_clear());
  EXPECT_EQ(box_.share_of_this_thread(), inbox::share::all);
  EXPECT_TRUE(box_.has_work_for(inbox::share::all));
  EXPECT_EQ(pop(), 1U);
  EXPECT_TRUE(box_.is_clear());
  box_.hold_requests();
  EXPECT_FALSE(box_.is_clear());
}

TEST_F(Inbox, BelongsToTheThreadThatHasTakenUserCodeUntilItGivesItUpAsOften) {
  box_.admit_requests();
  const auto share_elsewhere = [&] {
    inbox::share there = inbox::share::all;
    std::thread([&] { there = box_.share_of_this_thread(); }).join();
    return there;
  };
  EXPECT_TRUE(box_.take_user_code());
  EXPECT_TRUE(box_.take_user_code());
  EXPECT_FALSE(box_.another_thread_has_user_code());
  EXPECT_EQ(box_.share_of_this_thread(), inbox::share::all);
  std::thread([&] {
    EXPECT_TRUE(box_.another_thread_has_user_code());
    EXPECT_FALSE(box_.take_user_code());
    EXPECT_FALSE(box_.give_up_user_code());
  }).join();
  EXPECT_EQ(share_elsewhere(), inbox::share::nothing);
  EXPECT_TRUE(box_.give_up_user_code());
  EXPECT_EQ(share_elsewhere(), inbox::share::nothing);
  EXPECT_TRUE(box_.give_up_user_code());
  EXPECT_EQ(share_elsewhere(), inbox::share::all);
  EXPECT_TRUE(box_.is_clear());
}

TEST_F(Inbox, TellsOfEachRequestOnceWhetherItWaitsOrIsTaken) {
  box_.append_request(letter_from(1, 10));
  box_.append_request(letter_from(2, 20));
  box_.append_answer(letter_from(3, 30));
  const auto first = box_.pop_unacknowledged();
  ASSERT_TRUE(first.has_value());
  EXPECT_EQ(first->source, 1U);
  EXPECT_EQ(first->units, 10U);
  EXPECT_EQ(pop(), 3U);
  const std::unique_ptr<queued_message> told(box_.pop(true).mail);
  const inbox::work unacknowledged = box_.pop(true);
  const std::unique_ptr<queued_message> owned(unacknowledged.mail);
  EXPECT_EQ(owned->header.source, 2U);
  EXPECT_TRUE(unacknowledged.unacknowledged);
  EXPECT_FALSE(box_.pop_unacknowledged().has_value());
}

}  // namespace
