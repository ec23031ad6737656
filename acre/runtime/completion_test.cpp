// SPDX-License-Identifier: BSD-3-Clause
#include <acre/runtime/completion.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <thread>

namespace {

using acre::runtime::awaited;
using acre::runtime::finish_anywhere;

std::atomic<int> alive{0};

struct record {
  void (*complete)(record&) noexcept = nullptr;
  std::uint64_t outcome = 0;

  record() { ++alive; }
  record(const record&) = delete;
  record& operator=(const record&) = delete;
  ~record() { --alive; }
};

class completer {
 public:
  completer() : thread_([this] { run(); }) {}
  ~completer() {
    stop_ = true;
    thread_.join();
  }
  void give(record& given, std::uint64_t outcome) {
    outcome_ = outcome;
    next_.store(&given, std::memory_order_release);
  }
  void await_idle() const {
    while (next_.load(std::memory_order_acquire) != nullptr) std::this_thread::yield();
  }

 private:
  void run() {
    while (!stop_) {
      record* const given = next_.load(std::memory_order_acquire);
      if (given == nullptr) {
        std::this_thread::yield();
        continue;
      }
      given->outcome = outcome_;
      given->complete(*given);
      next_.store(nullptr, std::memory_order_release);
    }
  }

  std::atomic<record*> next_{nullptr};
  std::atomic<bool> stop_{false};
  std::uint64_t outcome_ = 0;
  std::thread thread_;
};

awaited<record> start(record*& seen, std::size_t room = 0) {
  return {room, [&](record& made, std::byte*) { seen = &made; }};
}

TEST(Completion, BeforeAnybodyLooks) {
  record* seen = nullptr;
  {
    const auto operation = start(seen);
    EXPECT_FALSE(operation.is_done());
    seen->outcome = 7;
    seen->complete(*seen);
    EXPECT_TRUE(operation.is_done());
    EXPECT_EQ(operation->outcome, 7U);
  }
  EXPECT_EQ(alive, 0);
}

TEST(Completion, AfterItWasAbandoned) {
  record* seen = nullptr;
  static_cast<void>(start(seen));
  EXPECT_EQ(alive, 1) << "the completer may still write";
  seen->outcome = 7;
  seen->complete(*seen);
  EXPECT_EQ(alive, 0);
}

TEST(Completion, WhatWasNotStartedIsNoRecord) {
  const auto refuse = [](record&, std::byte*) { throw std::runtime_error("no"); };
  EXPECT_THROW(const awaited<record> none(0, refuse), std::runtime_error);
  const awaited<record> refused(0, [](record&, std::byte*) { return false; });
  EXPECT_FALSE(refused);
  EXPECT_EQ(alive, 0);
}

TEST(Completion, TheRoomBehindARecordIsTheOperations) {
  record* seen = nullptr;
  std::byte* room = nullptr;
  const awaited<record> operation(1000, [&](record& made, std::byte* bytes) {
    seen = &made;
    room = bytes;
  });
  for (std::size_t i = 0; i < 1000; ++i) room[i] = static_cast<std::byte>(i % 256);
  seen->complete(*seen);
  EXPECT_EQ(operation.room()[999], std::byte{999 % 256});
}

TEST(Completion, ARecordServesTwice) {
  record* seen = nullptr;
  auto operation = start(seen);
  seen->complete(*seen);
  operation.start_again([&](record& made, std::byte*) { EXPECT_EQ(&made, seen); });
  EXPECT_FALSE(operation.is_done());
  seen->complete(*seen);
  EXPECT_TRUE(operation.is_done());
}

TEST(Completion, ThroughAHandle) {
  record* seen = nullptr;
  void* const handle = start(seen).to_handle();
  EXPECT_FALSE(awaited<record>::is_done(handle));
  seen->complete(*seen);
  EXPECT_TRUE(awaited<record>::is_done(handle));
  static_cast<void>(awaited<record>::from_handle(handle));
  EXPECT_EQ(alive, 0);
}

TEST(Completion, AnyThreadAtAnyTime) {
  completer other;
  for (std::uint64_t i = 0; i < 30000; ++i) {
    record* seen = nullptr;
    auto operation = start(seen, i % 3 * 64);
    other.give(*seen, i);
    if (i % 4 < 2) {
      if (i % 4 == 1) std::this_thread::yield();
      operation = {};
    } else {
      while (!operation.is_done()) std::this_thread::yield();
      ASSERT_EQ(operation->outcome, i);
    }
    other.await_idle();
    operation = {};
    ASSERT_EQ(alive, 0);
  }
}

TEST(Completion, AnywhereFinishesAndFrees) {
  {
    completer other;
    std::atomic<std::uint64_t> sum{0};
    for (std::uint64_t i = 1; i <= 1000; ++i) {
      finish_anywhere<record>([&sum](const record& done) noexcept { sum += done.outcome; },
                              [&](record& made, auto&) { other.give(made, i); });
      other.await_idle();
    }
    EXPECT_EQ(sum, 500500U);
  }
  EXPECT_EQ(alive, 0);
}

}  // namespace
