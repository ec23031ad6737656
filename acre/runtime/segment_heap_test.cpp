#include <acre/runtime/segment_heap.hpp>

#include <acre/fabric/smp_memory.hpp>

#include <gtest/gtest.h>

#include <cstring>
#include <optional>

namespace {

using acre::runtime::segment_heap;

/// A heap in memory as a node's is, with one large block that is full of ones.
class SegmentHeap : public testing::Test {
 protected:
  static constexpr std::size_t block_bytes = std::size_t{4} << 20;

  SegmentHeap() {
    memory_.attach(memory_.publish(), std::size_t{16} << 20);
    heap_.emplace(memory_.data(), memory_.size());
    block_ = static_cast<std::byte*>(heap_->allocate(block_bytes));
    std::memset(block_, 1, block_bytes);
  }
  [[nodiscard]] std::byte middle() const { return block_[block_bytes / 2]; }

  acre::fabric::smp_memory memory_;
  std::optional<segment_heap> heap_;
  std::byte* block_ = nullptr;
};

TEST_F(SegmentHeap, GivesThePagesOfLargeBlocksBack) {
  heap_->free(block_);
  EXPECT_EQ(middle(), std::byte{0});
}

/// A network card that has pinned pages goes on writing to them: others in their
/// place would never see it.
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

}  // namespace
