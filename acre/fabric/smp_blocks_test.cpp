// SPDX-License-Identifier: BSD-3-Clause
#include <acre/fabric/smp_blocks.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

namespace {

using acre::fabric::smp_blocks;

class SmpBlocks : public testing::Test {
 protected:
  smp_blocks& blocks() { return *blocks_; }
  [[nodiscard]] std::vector<std::byte*> take_all(std::size_t bytes) {
    std::vector<std::byte*> taken;
    while (std::byte* body = blocks_->try_take(bytes)) taken.push_back(body);
    return taken;
  }

 private:
  struct zeroed {
    smp_blocks* memory = static_cast<smp_blocks*>(std::aligned_alloc(64, sizeof(smp_blocks)));
    zeroed() { std::memset(static_cast<void*>(memory), 0, sizeof(smp_blocks)); }
    ~zeroed() { std::free(memory); }
    zeroed(const zeroed&) = delete;
    zeroed& operator=(const zeroed&) = delete;
  };
  zeroed zeroed_;
  smp_blocks* blocks_ = zeroed_.memory;
};

TEST_F(SmpBlocks, AreAlignedAndApart) {
  const std::vector<std::byte*> taken = take_all(1);
  ASSERT_GT(taken.size(), 8U);
  for (std::size_t i = 0; i < taken.size(); ++i) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(taken[i]) % 16, 0U);
    if (i != 0) {
      EXPECT_GT(taken[i] - taken[i - 1], 2048);
    }
    EXPECT_EQ(blocks().body_at(blocks().offset_of(taken[i])), taken[i]);
  }
}

TEST_F(SmpBlocks, OfMoreThanTheLargestThereAreNone) {
  EXPECT_EQ(blocks().try_take(smp_blocks::largest_body + 1), nullptr);
  std::byte* const body = blocks().try_take(smp_blocks::largest_body);
  ASSERT_NE(body, nullptr);
  std::memset(body, 0xff, smp_blocks::largest_body);
  EXPECT_EQ(take_all(smp_blocks::largest_body).size(), 8U);
}

TEST_F(SmpBlocks, AreGivenBackByAnyPlaceUpToTheSecondLine) {
  const std::vector<std::byte*> taken = take_all(5000);
  for (std::size_t i = 0; i <= smp_blocks::bytes_to_second_line; i += 8) {
    smp_blocks::give_back(taken[i / 8] + i);
    EXPECT_EQ(blocks().try_take(5000), taken[i / 8]);
  }
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(taken[0] + smp_blocks::bytes_to_second_line) % 64, 0U);
}

TEST_F(SmpBlocks, AreTakenAgainWhenTheyCameBack) {
  const std::vector<std::byte*> taken = take_all(5000);
  for (std::byte* body : taken) std::memset(body, 0xff, 5000);
  EXPECT_EQ(blocks().try_take(5000), nullptr);
  smp_blocks::give_back(taken[3]);
  EXPECT_EQ(blocks().try_take(5000), taken[3]);
  for (std::byte* body : taken) smp_blocks::give_back(body);
  EXPECT_EQ(take_all(5000), taken);
}

TEST_F(SmpBlocks, AreTakenByOneThreadEach) {
  constexpr int rounds = 5'000;
  std::vector<std::thread> threads;
  for (unsigned char mark = 1; mark <= 3; ++mark) {
    threads.emplace_back([this, mark] {
      for (int i = 0; i < rounds; ++i) {
        std::byte* const body = blocks().try_take(40'000 % (1000U * mark) + 200);
        if (body == nullptr) continue;
        std::memset(body, mark, 200);
        for (int at = 0; at < 200; ++at) ASSERT_EQ(body[at], std::byte{mark});
        smp_blocks::give_back(body);
      }
    });
  }
  for (std::thread& each : threads) each.join();
}

}  // namespace
