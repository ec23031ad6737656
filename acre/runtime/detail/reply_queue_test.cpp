// SPDX-License-Identifier: BSD-3-Clause
#include <acre/runtime/detail/reply_queue.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace {

using namespace acre::runtime;

TEST(ReplyQueue, SendsTheOldestFirstAndKeepsWhatHasNoRoom) {
  byte_pool pool;
  reply_queue replies;
  EXPECT_TRUE(replies.empty());
  for (const acre::rank_t target : {3U, 1U, 2U}) {
    std::unique_ptr<queued_message> reply(queued_message::make(pool, {}));
    reply->target = target;
    replies.append(std::move(reply));
  }
  std::vector<acre::rank_t> sent;
  std::size_t room = 2;
  const auto try_send = [&](const queued_message& next) {
    if (sent.size() == room) return false;
    sent.push_back(next.target);
    return true;
  };
  replies.flush(try_send);
  EXPECT_FALSE(replies.empty());
  EXPECT_EQ(sent, (std::vector<acre::rank_t>{3, 1}));
  room = 3;
  replies.flush(try_send);
  EXPECT_TRUE(replies.empty());
  EXPECT_EQ(sent, (std::vector<acre::rank_t>{3, 1, 2}));
}

}  // namespace
