// SPDX-License-Identifier: BSD-3-Clause
// Flow control: senders are held back while receivers compute.
#include <acre/acre.hpp>
#include <acre/runtime/active_message.hpp>
#include <acre/runtime/message_board_test.hpp>
#include <acre/runtime/rank_box.hpp>
#include <acre/runtime/request_window.hpp>
#include <acre/runtime/wait.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <thread>
#include <utility>
#include <vector>

namespace {

using namespace acre::runtime;
using namespace acre::testing;

std::size_t most_held(std::size_t message_bytes) {
  const std::size_t window = windows_of_requests.window * request_unit;
  constexpr std::size_t while_held_back = std::size_t{4} << 20;
  constexpr std::size_t messages_a_round = 128;
  return while_held_back + acre::size() * (window + 1024) + messages_a_round * message_bytes;
}
std::size_t most_inbox_bytes() {
  return counter_table[static_cast<std::size_t>(counted::most_inbox_bytes)];
}
void forget_inbox_bytes() {
  counter_table[static_cast<std::size_t>(counted::most_inbox_bytes)] = 0;
}

constexpr std::size_t flood_bytes = 4000;
std::vector<word> flood_next;
bool flood_in_order = true;

void receive_of_flood(acre::rank_t source, word number) {
  flood_in_order = flood_in_order && number == flood_next[source]++;
}

template <class SendOne>
void flood_a_rank_that_computes(SendOne&& send_one) {
  if (acre::size() < 2) return;
  flood_next.assign(acre::size(), 0);
  flood_in_order = true;
  board sent;
  forget_inbox_bytes();
  const std::size_t window =
      std::max(windows_of_requests.window * request_unit, std::size_t{2} << 20);
  const word messages = 3 * window / flood_bytes;
  const word all = messages * (acre::size() - 1);
  acre::barrier();
  if (acre::rank() == 0) {
    using clock = std::chrono::steady_clock;
    std::uint64_t seen = 0;
    auto since = clock::now();
    while (seen != all && (seen == 0 || clock::now() - since < std::chrono::milliseconds(100))) {
      const std::uint64_t now = sent.sum();
      if (now != seen) since = clock::now();
      seen = now;
    }
    EXPECT_LT(seen, all);
  } else {
    for (word number = 0; number < messages; ++number) {
      send_one(number);
      sent.put(0, number + 1);
    }
  }
  acre::barrier();
  if (acre::rank() == 0) {
    wait_until(
        [&] { return std::accumulate(flood_next.begin(), flood_next.end(), word{0}) == all; },
        "test");
    EXPECT_TRUE(flood_in_order);
    EXPECT_LE(most_inbox_bytes(), most_held(flood_bytes));
  }
  acre::barrier();
}

TEST(HeldBack, AreThoseWhoFloodARankThatComputes) {
  set_owner_handler(request, [](const message& received) {
    receive_of_flood(received.header.source, received.arguments[0]);
  });
  const std::vector<std::byte> payload(flood_bytes);
  flood_a_rank_that_computes(
      [&](word number) { send(0, request, std::span(&number, 1), payload); });
}

TEST(HeldBack, ArePutsWithCallsToARankThatComputes) {
  const auto places = acre::world().allgather(acre::allocate<word>(acre::size()));
  flood_a_rank_that_computes([&](word number) {
    acre::put(places[0] + acre::rank(), number,
              acre::then_at_target([](acre::rank_t source, word at,
                                      const std::vector<char>&) { receive_of_flood(source, at); },
                                   acre::rank(), number, std::vector<char>(flood_bytes)));
  });
  acre::barrier();
  acre::deallocate(places[acre::rank()]);
}

TEST(HeldBack, RanksThatFloodEachOtherWithPutsAndCallsGetOn) {
  const auto places = acre::world().allgather(acre::allocate<word>(1));
  static word taken;
  taken = 0;
  forget_inbox_bytes();
  acre::barrier();
  constexpr std::size_t bytes = 8000;
  constexpr word messages = 1200;
  for (word number = 0; number < messages; ++number) {
    acre::put(
        places[(acre::rank() + 1) % acre::size()], number,
        acre::then_at_target([](const std::vector<char>&) { ++taken; }, std::vector<char>(bytes)));
  }
  wait_until([] { return taken == messages; }, "test");
  constexpr std::size_t envelope = 128;
  EXPECT_LE(most_inbox_bytes(), most_held(bytes + envelope));
  acre::barrier();
  acre::deallocate(places[acre::rank()]);
}

TEST(HeldBack, AreRequestsAndNothingElse) {
  if (acre::size() < 2) return;
  static word taken;
  taken = 0;
  set_owner_handler(request, [](const message&) { ++taken; });
  acre::barrier();
  const acre::rank_t peer = acre::rank() ^ 1U;
  const std::vector<std::byte> payload(4000);
  constexpr word messages = 400;
  if (peer < acre::size()) {
    for (word number = 0; number < messages; ++number) {
      send(peer, request, {}, payload);
      if (number % 100 == 99) {
        EXPECT_EQ(acre::rpc(peer, [](word x) { return x + 1; }, number).get(), number + 1);
      }
    }
    wait_until([] { return taken == messages; }, "test");
  }
  EXPECT_EQ(acre::world().allreduce(1U, std::plus<>()), acre::size());
  acre::barrier();
}

TEST(HeldBack, RanksThatFloodEachOtherGetOn) {
  constexpr std::size_t bytes = 8000;
  static std::vector<word> next;
  static bool in_order;
  next.assign(acre::size(), 0);
  in_order = true;
  set_owner_handler(request, [](const message& received) {
    in_order = in_order && received.arguments[0] == next[received.header.source]++;
  });
  forget_inbox_bytes();
  acre::barrier();
  constexpr word messages = 1200;
  const std::vector<std::byte> payload(bytes);
  for (word number = 0; number < messages; ++number) {
    send((acre::rank() + 1) % acre::size(), request, std::span(&number, 1), payload);
  }
  wait_until([&] { return std::accumulate(next.begin(), next.end(), word{0}) == messages; },
             "test");
  EXPECT_TRUE(in_order);
  EXPECT_LE(most_inbox_bytes(), most_held(bytes));
  acre::barrier();
}

TEST(HeldBack, RanksThatFloodEachOtherQueueOnlyUntilTheirQueueIsFull) {
  if (node_count() != 1) return;
  constexpr std::size_t bytes = 8000;
  constexpr std::size_t few = std::size_t{2} << 20;
  static word taken;
  static bool queue_was_full;
  static bool is_sending;
  taken = 0;
  queue_was_full = is_sending = false;
  set_owner_handler(request, [](const message&) {
    ++taken;
    if (is_sending && !std::exchange(queue_was_full, true)) forget_inbox_bytes();
  });
  acre::barrier();
  is_sending = true;
  constexpr word messages = 2000;
  const std::vector<std::byte> payload(bytes);
  for (word number = 0; number < messages; ++number) {
    send((acre::rank() + 1) % acre::size(), request, {}, payload);
  }
  if (queue_was_full) {
    EXPECT_LE(most_inbox_bytes(), few);
  }
  wait_until([] { return taken == messages; }, "test");
  acre::barrier();
}

const std::vector<std::byte> short_payload(200);

bool try_send_short(acre::rank_t target) { return try_send(target, request, {}, short_payload, 0); }

TEST(HeldBack, SendsThatFindRoomRunWhatHasComeOnceAQueueWasFull) {
  static word taken;
  static bool is_sending;
  static board* told;
  taken = 0;
  is_sending = false;
  board sent;
  told = &sent;
  set_owner_handler(request, [](const message&) {
    ++taken;
    if (std::exchange(is_sending, false)) told->put(1, 1);
  });
  const auto refusals = [] { return counter_table[static_cast<std::size_t>(counted::no_room)]; };
  const std::vector<std::byte> payload(5000);
  word mine = 0;
  acre::barrier();
  if (acre::rank() == 0 && are_neighbours(0, 1)) {
    for (is_sending = true; is_sending; ++mine) send(1, request, {}, payload);
    sent.put(1, 1 + mine);
    await_word([&] { return sent.sum() == 1; });
    const word before = taken;
    const auto refused_before = refusals();
    send(1, request, {}, payload);
    ++mine;
    EXPECT_GT(taken, before);
    EXPECT_EQ(refusals(), refused_before);
  }
  if (acre::rank() == 1 && are_neighbours(0, 1)) {
    while (sent.sum() == 0) {
      if (try_send_short(0)) {
        ++mine;
      } else {
        std::this_thread::yield();
      }
    }
    wait_until([&] { return sent.sum() > 1 && taken + 1 == sent.sum(); }, "test");
    if (try_send_short(0)) ++mine;
    sent.put(0, 1);
  }
  const std::vector<word> all = acre::world().allgather(mine);
  if (acre::rank() < 2 && are_neighbours(0, 1)) {
    wait_until([&] { return taken == all[1 - acre::rank()]; }, "test");
  }
  acre::barrier();
}

TEST(HeldBack, FragmentsOfARequestRunWhatIsQueuedAsTheRequestWould) {
  static word taken;
  taken = 0;
  set_owner_handler(request, [](const message&) { ++taken; });
  constexpr std::size_t queue_bytes = std::size_t{12} << 20;
  const word from_one = queue_bytes / short_payload.size();
  constexpr word from_zero = 12;
  forget_inbox_bytes();
  acre::barrier();
  if (acre::rank() == 0 && are_neighbours(0, 1)) {
    const std::vector<std::byte> in_fragments(100'000);
    for (word i = 0; i < from_zero; ++i) send(1, request, {}, in_fragments);
    EXPECT_LE(most_inbox_bytes(), most_held(2 * short_payload.size()));
    wait_until([&] { return taken == from_one; }, "test");
  }
  if (acre::rank() == 1 && are_neighbours(0, 1)) {
    for (word i = 0; i < from_one; ++i) {
      while (!try_send_short(0)) std::this_thread::yield();
    }
    wait_until([] { return taken == from_zero; }, "test");
  }
  acre::barrier();
}

void compute_while_sent_grows(const std::atomic<word>& sent, word all) {
  using clock = std::chrono::steady_clock;
  word seen = 0;
  auto since = clock::now();
  while (seen != all && (seen == 0 || clock::now() - since < std::chrono::milliseconds(50))) {
    std::this_thread::yield();
    const word now = sent;
    if (now != seen) since = clock::now();
    seen = now;
  }
}

TEST(HeldBack, ThreadsThatMayRunNothingQueueNoMoreThanOthers) {
  const acre::rank_t peer = acre::rank() ^ 1U;
  const bool has_peer = peer < acre::size() && are_neighbours(acre::rank(), peer);
  constexpr std::size_t bytes = 8000;
  constexpr std::size_t most = (std::size_t{4} << 20) + 2 * 64 * (bytes + 256);
  constexpr word messages = 3 * most / bytes;
  static word taken;
  taken = 0;
  set_owner_handler(request, [](const message&) { ++taken; });
  forget_inbox_bytes();
  {
    const acre::user_code_thread here;
    acre::barrier();
    if (has_peer) {
      std::atomic<word> sent{0};
      std::thread worker([&] {
        const std::vector<std::byte> payload(bytes);
        for (word number = 0; number < messages; ++number) {
          send(peer, request, {}, payload);
          sent = number + 1;
        }
      });
      compute_while_sent_grows(sent, messages);
      wait_until([&] { return sent == messages && taken == messages; }, "test");
      worker.join();
      EXPECT_LE(most_inbox_bytes(), most);
    }
    acre::barrier();
  }
  acre::barrier();
}

TEST(HeldBack, HandlersThatSendGetOn) {
  static word passed;
  static word arrived;
  passed = 0;
  arrived = 0;
  set_owner_handler(request, [](const message& received) {
    const word left = received.arguments[0];
    if (left == 0) {
      ++arrived;
      return;
    }
    ++passed;
    const word less = left - 1;
    const auto target = static_cast<acre::rank_t>((acre::rank() + left) % acre::size());
    send(target, request, std::span(&less, 1), received.payload);
  });
  acre::barrier();
  constexpr word messages = 60;
  constexpr word hops = 3;
  const std::vector<std::byte> payload(4000);
  for (word number = 0; number < messages; ++number) {
    for (acre::rank_t target = 0; target < acre::size(); ++target) {
      send(target, request, std::span(&hops, 1), payload);
    }
  }
  const auto total = [] { return acre::world().allreduce(arrived, std::plus<>()); };
  const word all = messages * acre::size() * acre::size();
  while (total() != all) {
    for (int i = 0; i < 100; ++i) acre::progress();
  }
  EXPECT_EQ(acre::world().allreduce(passed, std::plus<>()), hops * all);
  acre::barrier();
}

TEST(HeldBack, HandlersThatSendMoreThanTheyTakeGetOn) {
  static word passed;
  passed = 0;
  set_owner_handler(request, [](const message& received) {
    ++passed;
    const word left = received.arguments[0];
    if (left == 0) return;
    const word less = left - 1;
    for (acre::rank_t i = 1; i <= 3; ++i) {
      send((acre::rank() + i) % acre::size(), request, std::span(&less, 1), received.payload);
    }
  });
  const auto sleeps = [] { return counter_table[static_cast<std::size_t>(counted::sleep)]; };
  acre::barrier();
  constexpr word first = 1500;
  constexpr word generations = 2;
  constexpr word all = first * (1 + 3 + 9);
  const std::vector<std::byte> payload(4000);
  const std::uint64_t before = sleeps();
  for (word i = 0; i < first; ++i) {
    send((acre::rank() + 1) % acre::size(), request, std::span(&generations, 1), payload);
  }
  const auto total = [] { return acre::world().allreduce(passed, std::plus<>()); };
  while (total() != all * acre::size()) {
    for (int i = 0; i < 100; ++i) acre::progress();
  }
  EXPECT_LE(sleeps() - before, all);
  acre::barrier();
}

TEST(HeldBack, LargeRequestsGoOneByOne) {
  static word taken;
  taken = 0;
  acre::barrier();
  const std::vector<char> large(3 << 20, 'x');
  const acre::rank_t target = (acre::rank() + 1) % acre::size();
  for (int i = 0; i < 4; ++i) {
    acre::rpc_ff(
        target,
        [](acre::message_view<char> text) {
          taken += text.size();
          EXPECT_EQ(text.back(), 'x');
        },
        acre::make_message_view(large));
  }
  wait_until([&] { return taken == 4 * large.size(); }, "test");
  EXPECT_EQ(taken, 4 * large.size());
  acre::barrier();
}

TEST(HeldBack, IsNoMessageOfTheProgram) {
  const acre::rank_t sender = acre::size() - 1;
  if (node_of(0) == node_of(sender)) return;
  static word taken;
  taken = 0;
  set_owner_handler(request, [](const message&) { ++taken; });
  const std::vector<std::byte> payload(4000);
  const word messages = windows_of_requests.window * request_unit * 3 / 4 / payload.size();
  board sent;
  acre::barrier();
  if (acre::rank() == sender) {
    for (word number = 0; number < messages; ++number) send(0, request, {}, payload);
    sent.put(0, 1);
  } else if (acre::rank() == 0) {
    await_word([&] { return sent.sum() == 1; });
    const auto before = acre::counters().messages;
    wait_until([&] { return taken == messages; }, "test");
    EXPECT_EQ(acre::counters().messages, before);
  }
  acre::barrier();
}

}  // namespace
