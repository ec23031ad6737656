// SPDX-License-Identifier: BSD-3-Clause
#include <acre/runtime/segment_heap.hpp>

#include <acre/fabric/smp_memory.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <optional>
#include <random>
#include <string>
#include <sys/mman.h>
#include <vector>

namespace {

using acre::runtime::segment_heap;

class SegmentHeap : public testing::Test {
 protected:
  static constexpr std::size_t block_bytes = std::size_t{4} << 20;

  SegmentHeap() {
    memory_.open(memory_.publish(), std::size_t{16} << 20);
    heap_.emplace(memory_.map(), std::size_t{16} << 20);
    block_ = static_cast<std::byte*>(heap_->allocate(block_bytes));
    std::memset(block_, 1, block_bytes);
  }
  [[nodiscard]] std::byte middle() const { return block_[block_bytes / 2]; }

  acre::fabric::smp_memory memory_;
  std::optional<segment_heap> heap_;
  std::byte* block_ = nullptr;
};

std::optional<bool> asks_for_huge_pages(const void* address) {
  std::ifstream maps("/proc/self/smaps");
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  bool is_it = false;
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx ", &begin, &end) == 2) {
      is_it = begin <= at && at < end;
    } else if (is_it && line.starts_with("VmFlags:")) {
      return line.find(" hg") != std::string::npos;
    }
  }
  return std::nullopt;
}

TEST_F(SegmentHeap, AsksForHugePagesForAllThatALargeBlockReachesInto) {
  if (asks_for_huge_pages(block_ + block_bytes / 2) != true) GTEST_SKIP() << "no huge pages here";
  EXPECT_EQ(asks_for_huge_pages(block_), true);
  EXPECT_EQ(asks_for_huge_pages(block_ + block_bytes - 1), true);
}

TEST_F(SegmentHeap, GivesThePagesOfLargeBlocksBack) {
  heap_->free(block_);
  EXPECT_EQ(middle(), std::byte{0});
}

TEST_F(SegmentHeap, FreesWhatLiesBehindTheBeginningOfABlock) {
  const std::size_t before = heap_->free_bytes();
  heap_->shrink(block_, block_bytes / 4);
  EXPECT_GE(heap_->free_bytes(), before + block_bytes / 4 * 3 - 4096);
  EXPECT_EQ(block_[block_bytes / 4 - 1], std::byte{1});
  EXPECT_EQ(block_[block_bytes / 4 * 3], std::byte{0});
  EXPECT_TRUE(heap_->has_block(block_, block_bytes / 4));
  EXPECT_FALSE(heap_->has_block(block_, block_bytes / 2));
  heap_->shrink(block_, block_bytes);
  EXPECT_FALSE(heap_->has_block(block_, block_bytes / 2));
  EXPECT_TRUE(heap_->free(block_));
  EXPECT_EQ(heap_->blocks(), 0U);
}

TEST_F(SegmentHeap, LeavesPagesThatAreToStayWhereTheyAre) {
  heap_->keep_pages();
  const std::size_t before = heap_->free_bytes();
  heap_->free(block_);
  EXPECT_EQ(middle(), std::byte{1});
  EXPECT_GT(heap_->free_bytes(), before);
  EXPECT_EQ(heap_->allocate(block_bytes), block_);
}

TEST_F(SegmentHeap, HasNoBlockOfMoreThanIsLeft) {
  EXPECT_EQ(heap_->allocate(std::size_t{16} << 20), nullptr);
  EXPECT_EQ(heap_->allocate(~std::size_t{0}), nullptr);
}

constexpr std::size_t MiB = std::size_t{1} << 20;

class reserved_heap {
 public:
  explicit reserved_heap(std::size_t bytes)
      : bytes_(bytes),
        memory_(::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                       MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)),
        heap(static_cast<std::byte*>(memory_), bytes) {}
  ~reserved_heap() { ::munmap(memory_, bytes_); }
  reserved_heap(const reserved_heap&) = delete;
  reserved_heap& operator=(const reserved_heap&) = delete;

 private:
  std::size_t bytes_;
  void* memory_;

 public:
  segment_heap heap;
};

std::vector<void*> fill(segment_heap& heap, std::size_t bytes) {
  std::vector<void*> blocks;
  while (void* block = heap.allocate(bytes)) blocks.push_back(block);
  return blocks;
}

std::uintptr_t number(const void* address) { return reinterpret_cast<std::uintptr_t>(address); }

TEST(SegmentHeapBlocks, WastesNextToNothingBetweenLargeBlocks) {
  for (const std::size_t block : {1 * MiB, 2 * MiB, 4 * MiB, 8 * MiB}) {
    reserved_heap reserved(64 * MiB);
    EXPECT_EQ(fill(reserved.heap, block).size(), 64 * MiB / block - 1) << block;
  }
}

TEST(SegmentHeapBlocks, GivesAFreedBlockToTheNextOfItsSize) {
  for (const std::size_t block : {std::size_t{1}, std::size_t{100}, 1 * MiB, 2 * MiB}) {
    reserved_heap reserved(16 * MiB);
    const auto blocks = fill(reserved.heap, block);
    void* const middle = blocks[blocks.size() / 2];
    reserved.heap.free(middle);
    EXPECT_EQ(reserved.heap.allocate(block), middle) << block;
  }
}

TEST(SegmentHeapBlocks, KnowsItsLargestFreeBlock) {
  reserved_heap reserved(16 * MiB);
  segment_heap& heap = reserved.heap;
  const auto blocks = fill(heap, 2 * MiB);
  for (std::size_t i = 0; i < blocks.size(); i += 2) heap.free(blocks[i]);
  EXPECT_GT(heap.free_bytes(), 6 * MiB);
  const std::size_t free_before = heap.free_bytes();
  const std::size_t largest = heap.largest_free_block();
  EXPECT_EQ(heap.free_bytes(), free_before);
  EXPECT_GE(largest, 2 * MiB);
  EXPECT_LT(largest, 4 * MiB);
  EXPECT_EQ(heap.allocate(largest + 1), nullptr);
  EXPECT_NE(heap.allocate(largest), nullptr);
}

TEST(SegmentHeapBlocks, FreesABlockOnceAndNothingElse) {
  reserved_heap reserved(16 * MiB);
  segment_heap& heap = reserved.heap;
  const std::size_t free_before = heap.free_bytes();
  for (const std::size_t bytes : {std::size_t{8}, std::size_t{5'000}, 4 * MiB}) {
    for (const std::size_t alignment : {std::size_t{64}, std::size_t{8'192}}) {
      auto* const other = static_cast<std::byte*>(heap.allocate(bytes));
      auto* const block = static_cast<std::byte*>(heap.allocate(bytes, alignment));
      std::fill_n(block, bytes, std::byte{0xff});
      EXPECT_FALSE(heap.free(block + 4));
      EXPECT_FALSE(heap.free(block + 64));
      EXPECT_FALSE(heap.free(block - 8));
      EXPECT_TRUE(heap.has_block(block));
      EXPECT_TRUE(heap.free(block));
      EXPECT_FALSE(heap.has_block(block));
      EXPECT_FALSE(heap.free(block));
      EXPECT_EQ(heap.blocks(), 1U);
      EXPECT_TRUE(heap.free(other));
      EXPECT_FALSE(heap.free(block));
      EXPECT_FALSE(heap.free(other));
      EXPECT_EQ(heap.free_bytes(), free_before);
    }
  }
}

TEST(SegmentHeapBlocks, HasNoLargestBlockWhenItIsFull) {
  reserved_heap reserved(1 * MiB);
  static_cast<void>(fill(reserved.heap, 1));
  EXPECT_EQ(reserved.heap.largest_free_block(), 0U);
}

TEST(SegmentHeapBlocks, AlignsAsAskedAndKeepsBlocksApart) {
  reserved_heap reserved(64 * MiB);
  segment_heap& heap = reserved.heap;
  const std::size_t free_before = heap.free_bytes();
  std::mt19937 random(7);
  struct piece {
    std::byte* start;
    std::size_t bytes;
    std::byte mark;
  };
  std::vector<piece> pieces;
  for (int i = 0; i < 1'000; ++i) {
    const std::size_t bytes = random() % 50 == 0 ? 2 * MiB + random() % 1000 : random() % 5'000;
    const std::size_t alignment = std::size_t{1} << (random() % 14);
    auto* start = static_cast<std::byte*>(heap.allocate(bytes, alignment));
    if (start == nullptr) continue;
    EXPECT_EQ(number(start) % std::max<std::size_t>(alignment, 64), 0U);
    pieces.push_back({start, bytes, static_cast<std::byte>(i)});
    std::fill_n(start, bytes, pieces.back().mark);
    if (pieces.size() % 3 == 0) {
      const auto chosen = pieces.begin() + static_cast<std::ptrdiff_t>(random() % pieces.size());
      heap.free(chosen->start);
      pieces.erase(chosen);
    }
  }
  for (const piece& each : pieces) {
    EXPECT_EQ(std::count(each.start, each.start + each.bytes, each.mark),
              static_cast<std::ptrdiff_t>(each.bytes));
    heap.free(each.start);
  }
  EXPECT_EQ(heap.free_bytes(), free_before);
}

TEST(SegmentHeapBlocks, RefusesWhatIsLargerThanItself) {
  reserved_heap reserved(1 * MiB);
  EXPECT_EQ(reserved.heap.allocate(2 * MiB), nullptr);
  EXPECT_EQ(reserved.heap.allocate(SIZE_MAX), nullptr);
  EXPECT_EQ(reserved.heap.allocate(1, 2 * MiB), nullptr);
}

}  // namespace
