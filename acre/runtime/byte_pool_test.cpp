// SPDX-License-Identifier: BSD-3-Clause
#include <acre/runtime/byte_pool.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <new>
#include <thread>
#include <vector>

namespace {

using acre::runtime::byte_pool;

TEST(BytePool, GivesEveryByteThatWasAskedFor) {
  byte_pool pool;
  for (std::size_t bytes = 1; bytes < 5'000'000; bytes += 1 + bytes / 7) {
    for (int again = 0; again < 2; ++again) {
      void* const block = pool.allocate(bytes);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % alignof(std::max_align_t), 0U);
      std::memset(block, 0xff, bytes);
      pool.give_back(block, bytes);
    }
  }
}

TEST(BytePool, HasNoRoomForMoreBytesThanThereAre) {
  byte_pool pool;
  for (const std::size_t more : {std::size_t{0}, std::size_t{100}, std::size_t{8'192}}) {
    EXPECT_THROW((void)pool.allocate(SIZE_MAX - more), std::bad_alloc);
  }
}

TEST(BytePool, UsesABlockAgain) {
  if (!acre::runtime::keeps_blocks()) GTEST_SKIP() << "the sanitizer gets every block back";
  byte_pool pool;
  void* const block = pool.allocate(16'000);
  pool.give_back(block, 16'000);
  EXPECT_EQ(pool.allocate(15'900), block);
  pool.give_back(block, 15'900);
}

TEST(BytePool, PlacesLargeBlocksFarFromWhereOthersBeginInAPage) {
  byte_pool pool;
  for (const std::size_t bytes :
       {std::size_t{65'536}, std::size_t{1'000'000}, std::size_t{6'000'000}}) {
    void* const block = pool.allocate(bytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % 4096, 2048U);
    pool.give_back(block, bytes);
  }
}

TEST(BytePool, KeepsNoMoreThanItsBound) {
  byte_pool pool;
  std::vector<void*> blocks;
  for (int i = 0; i < 120; ++i) blocks.push_back(pool.allocate(100'000));
  for (void* each : blocks) pool.give_back(each, 100'000);
  EXPECT_LE(pool.kept_bytes(), byte_pool::most_kept);
}

TEST(BytePool, KeepsWhatCameBackLastInPlaceOfOtherSizes) {
  if (!acre::runtime::keeps_blocks()) GTEST_SKIP() << "the sanitizer gets every block back";
  byte_pool pool;
  void* const first = pool.allocate(4'000'000);
  void* const second = pool.allocate(4'000'000);
  void* const small = pool.allocate(1'000'000);
  pool.give_back(first, 4'000'000);
  pool.give_back(second, 4'000'000);
  EXPECT_EQ(pool.kept_bytes(), 8'388'608U);
  pool.give_back(small, 1'000'000);
  EXPECT_EQ(pool.kept_bytes(), 5'242'880U);
  EXPECT_EQ(pool.allocate(1'000'000), small);
  pool.give_back(small, 1'000'000);
}

TEST(BytePool, IsForManyThreads) {
  byte_pool pool;
  std::vector<std::thread> threads;
  for (unsigned char mark = 1; mark <= 3; ++mark) {
    threads.emplace_back([&pool, mark] {
      for (std::size_t i = 0; i < 5'000; ++i) {
        const std::size_t bytes = 64 + i % 500;
        auto* const block = static_cast<unsigned char*>(pool.allocate(bytes));
        std::memset(block, mark, bytes);
        ASSERT_EQ(block[bytes / 2], mark);
        pool.give_back(block, bytes);
      }
    });
  }
  for (std::thread& each : threads) each.join();
}

}  // namespace
