// SPDX-License-Identifier: BSD-3-Clause
// Messages of all sizes.
#include <acre/acre.hpp>
#include <acre/fabric/smp_blocks.hpp>
#include <acre/runtime/active_message.hpp>
#include <acre/runtime/message_board_test.hpp>
#include <acre/runtime/payload_block.hpp>
#include <acre/runtime/wait.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <numeric>
#include <span>
#include <string>
#include <vector>

namespace {

using namespace acre::runtime;
using namespace acre::testing;

constexpr auto answer = static_cast<handler_id>(211);
constexpr auto builtin = static_cast<handler_id>(212);

std::vector<std::size_t> sizes() {
  std::vector<std::size_t> all;
  for (const std::size_t limit : {256U, 2096U, 8432U, 16000U, 33008U, 131072U}) {
    for (const std::size_t bytes : {limit - 73, limit - 8, limit, limit + 1}) all.push_back(bytes);
  }
  return all;
}

std::vector<std::byte> pattern(std::size_t bytes, std::uint64_t seed) {
  std::vector<std::byte> made(bytes, static_cast<std::byte>(seed));
  for (std::size_t i = 0; i < bytes; i += 37) made[i] = static_cast<std::byte>(i);
  return made;
}

bool is_pattern(std::span<const std::byte> payload, std::uint64_t seed) {
  const std::vector<std::byte> expected = pattern(payload.size(), seed);
  return std::memcmp(payload.data(), expected.data(), expected.size()) == 0;
}

TEST(Messages, OfEverySizeArriveWholeAndInOrder) {
  static std::vector<word> next;
  static bool sound;
  next.assign(acre::size(), 0);
  sound = true;
  const auto check = [](const message& received) {
    word& expected = next[received.header.source];
    sound = sound && received.arguments.size() == 2 && received.arguments[0] == expected++ &&
            received.header.tag == 7 && is_pattern(received.payload, received.arguments[1]) &&
            reinterpret_cast<std::uintptr_t>(received.arguments.data()) % sizeof(word) == 0;
  };
  set_owner_handler(request, check);
  acre::barrier();
  word number = 0;
  for (const std::size_t bytes : sizes()) {
    const word words[] = {number, bytes};
    const std::vector<std::byte> payload = pattern(bytes, bytes);
    for (const acre::rank_t step : {0U, 1U, 3U}) {
      if (step < acre::size())
        send((acre::rank() + step) % acre::size(), request, words, payload, 7);
    }
    ++number;
  }
  const word senders = acre::size() > 3 ? 3 : std::min<word>(acre::size(), 2);
  wait_until([&] { return std::accumulate(next.begin(), next.end(), word{0}) == senders * number; },
             "test");
  EXPECT_TRUE(sound);
  acre::barrier();
}

TEST(Messages, OfBuiltInHandlersComeInBlocksToo) {
  static std::atomic<word> sum;
  sum = 0;
  set_builtin_handler(builtin, [](const message& received, responder&) {
    word bytes = 0;
    for (const std::byte each : received.payload) bytes += std::to_integer<word>(each);
    sum += bytes;
  });
  acre::barrier();
  const std::vector<std::byte> payload(std::min<std::size_t>(max_payload(), 9000), std::byte{2});
  for (int i = 0; i < 20; ++i) send((acre::rank() + 1) % acre::size(), builtin, {}, payload);
  wait_until([&] { return sum == 40 * payload.size(); }, "test");
  EXPECT_EQ(sum, 40 * payload.size());
  acre::barrier();
}

std::size_t blocks_in_use() {
  acre::fabric::smp_blocks& blocks = box_of(acre::rank()).blocks;
  std::vector<std::byte*> free;
  while (std::byte* body = blocks.try_take(1)) free.push_back(body);
  for (const std::byte* body : free) acre::fabric::smp_blocks::give_back(body);
  constexpr std::size_t all = 24 + 16 + 9;
  return all - free.size();
}

TEST(Messages, GiveTheirBlocksBack) {
  static word taken;
  taken = 0;
  set_owner_handler(request, [](const message&) { ++taken; });
  acre::barrier();
  const std::vector<std::byte> payload(5000);
  for (int i = 0; i < 300; ++i) send((acre::rank() + 1) % acre::size(), request, {}, payload);
  wait_until([] { return taken == 300; }, "test");
  acre::barrier();
  EXPECT_EQ(blocks_in_use(), 0U);
  acre::barrier();
}

TEST(Messages, WrittenIntoABlockArriveWholeAndBlocksThatAreNotSentComeBack) {
  static word taken;
  static bool sound;
  taken = 0;
  sound = true;
  set_owner_handler(request, [](const message& received) {
    sound = sound && received.arguments.size() == received.arguments[0] &&
            is_pattern(received.payload, received.payload.size());
    ++taken;
  });
  acre::barrier();
  const acre::rank_t target = (acre::rank() + 1) % acre::size();
  word sent = 0;
  for (const std::size_t bytes : sizes()) {
    const payload_block unused(target, bytes);
    payload_block payload(target, bytes);
    if (!payload.has_place()) continue;
    EXPECT_EQ(payload.place().size(), bytes);
    std::ranges::copy(pattern(bytes, bytes), payload.place().begin());
    const std::vector<word> words(1 + sent % 6, 1 + sent % 6);
    send(target, request, words, payload);
    EXPECT_FALSE(payload.has_place());
    ++sent;
  }
  EXPECT_EQ(sent != 0, are_neighbours(acre::rank(), target));
  acre::barrier();
  const acre::rank_t source = (acre::rank() + acre::size() - 1) % acre::size();
  const word expected = acre::world().allgather(sent)[source];
  wait_until([&] { return taken == expected; }, "test");
  EXPECT_TRUE(sound);
  acre::barrier();
  EXPECT_EQ(blocks_in_use(), 0U);
  acre::barrier();
}

TEST(Messages, HaveNoBlockForARankThatThereIsNot) {
  EXPECT_FALSE(payload_block(acre::size(), 1000).has_place());
  EXPECT_THROW(
      acre::rpc_ff(acre::size(), [](const std::string&) {}, std::string(1000, 'x')), acre::error);
  EXPECT_EQ(blocks_in_use(), 0U);
  acre::barrier();
}

TEST(Messages, GoOnWhileHandlersKeepAllBlocks) {
  static word released;
  static word ended;
  static bool sound;
  released = 0;
  ended = 0;
  sound = true;
  constexpr word waiting = 80;
  set_owner_handler(request, [](const message& received) {
    const word number = received.arguments[0];
    if (number + 1 == waiting) released = 1;
    wait_until([] { return released != 0; }, "the last request");
    sound = sound && is_pattern(received.payload, number);
    ++ended;
  });
  acre::barrier();
  for (word number = 0; number < waiting; ++number) {
    send((acre::rank() + 1) % acre::size(), request, std::span(&number, 1), pattern(2500, number));
  }
  wait_until([] { return ended == waiting; }, "test");
  EXPECT_TRUE(sound);
  acre::barrier();
  EXPECT_EQ(blocks_in_use(), 0U);
  acre::barrier();
}

TEST(Messages, AreAnsweredAsLargeAsTheyCame) {
  static word answered;
  static bool sound;
  answered = 0;
  sound = true;
  set_owner_handler(request, [](const message& received) {
    send(received.header.source, answer, received.arguments, received.payload);
  });
  set_answer_handler(answer, [](const message& received) {
    sound = sound && is_pattern(received.payload, received.arguments[0]);
    ++answered;
  });
  acre::barrier();
  word asked = 0;
  for (const std::size_t bytes : sizes()) {
    const word words[] = {bytes};
    send((acre::rank() + 1) % acre::size(), request, words, pattern(bytes, bytes));
    ++asked;
    if (asked % 3 == 0) wait_until([&] { return answered == asked; }, "test");
  }
  wait_until([&] { return answered == asked; }, "test");
  EXPECT_TRUE(sound);
  acre::barrier();
}

/// The second body must not overwrite the first, which is retried.
TEST(Messages, ThatCannotBeTakenAtFirstAreWholeWhenTheyComeAgain) {
  constexpr std::size_t bytes = 4000;
  static int times;
  static word next;
  static bool sound;
  times = 0;
  next = 0;
  sound = true;
  set_builtin_handler(builtin, [](const message& received, responder&) {
    if (times++ == 0) throw std::bad_alloc();
    sound = sound && received.arguments[0] == next && is_pattern(received.payload, next);
    ++next;
  });
  board sent;
  acre::barrier();
  if (acre::rank() == 0 && are_neighbours(0, 1)) {
    for (word number = 0; number < 2; ++number) {
      await_word([&] { return sent.sum() == number + 1; });
      send(1, builtin, std::span(&number, 1), pattern(bytes, number));
      sent.put(1, number + 1);
    }
  }
  if (acre::rank() == 1 && are_neighbours(0, 1)) {
    sent.put(0, 1);
    await_word([&] { return sent.sum() >= 1; });
    while (times == 0) {
      try {
        static_cast<void>(progress_internal());
      } catch (const std::bad_alloc&) {
        EXPECT_EQ(times, 1);
      }
    }
    sent.put(0, 2);
    await_word([&] { return sent.sum() == 2; });
    wait_until([] { return next == 2; }, "test");
    EXPECT_TRUE(sound);
  }
  acre::barrier();
}

}  // namespace
