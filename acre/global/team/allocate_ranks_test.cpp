// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/error.hpp>
#include <acre/global/memory/atomic.hpp>
#include <acre/global/memory/put_get.hpp>
#include <acre/global/team/allocate.hpp>
#include <acre/global/team/team.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace {

using acre::global_ptr;

acre::rank_t next_rank() { return (acre::rank() + 1) % acre::size(); }
acre::rank_t previous_rank() { return (acre::rank() + acre::size() - 1) % acre::size(); }

std::string complaint_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const acre::error& failure) {
    return failure.call() + ": " + failure.problem() + "; " + failure.advice();
  }
  return "no complaint";
}

void expect_in(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

std::size_t free_bytes() { return acre::runtime::segment_free().symmetric; }

TEST(SymmetricSmoke, NeedsNoExchangeOfAddresses) {
  const auto before = free_bytes();
  const auto mine = acre::allocate_symmetric<std::uint64_t>(10);
  EXPECT_EQ(mine.rank(), acre::rank());
  acre::put(acre::at_rank(mine, next_rank()) + 3, acre::rank() + 100U);
  acre::barrier();
  EXPECT_EQ(mine.local()[3], previous_rank() + 100U);
  for (acre::rank_t r = 0; r < acre::size(); ++r) {
    const std::uint64_t word = acre::get(acre::at_rank(mine, r) + 3);
    EXPECT_EQ(word, (r + acre::size() - 1) % acre::size() + 100U);
  }
  acre::deallocate_symmetric(mine);
  EXPECT_EQ(free_bytes(), before);
}

TEST(Symmetric, LiesAtTheSameOffsetWhateverRanksAllocateOnTheirOwn) {
  const auto own = acre::allocate<std::byte>(1 + 1000 * acre::rank());
  std::vector<global_ptr<std::byte>> blocks;
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{5} << 20}) {
    blocks.push_back(acre::allocate_symmetric<std::byte>(bytes));
  }
  for (const auto& block : blocks) {
    for (const auto& theirs : acre::world().allgather(block)) {
      EXPECT_EQ(theirs, acre::at_rank(block, theirs.rank()));
    }
  }
  acre::deallocate_symmetric(blocks[1]);
  acre::deallocate_symmetric(blocks[0]);
  acre::deallocate_symmetric(blocks[2]);
  acre::deallocate(own);
}

TEST(Symmetric, AlignsForItsType) {
  struct alignas(512) wide {
    char text[512];
  };
  const auto small = acre::allocate_symmetric<char>();
  const auto large = acre::allocate_symmetric<wide>(2);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(small.local()) % 64, 0U);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(large.local()) % 512, 0U);
  acre::deallocate_symmetric(large);
  acre::deallocate_symmetric(small);
}

TEST(Symmetric, WaitsForAllBeforeItIsFreed) {
  const auto words = acre::allocate_symmetric<std::uint64_t>(1);
  *words.local() = 0;
  acre::barrier();
  for (int i = 0; i < 100; ++i) acre::fetch_add(acre::at_rank(words, next_rank()), 1U);
  std::uint64_t* const here = words.local();
  acre::barrier();
  EXPECT_EQ(*here, 100U);
  acre::deallocate_symmetric(words);
}

TEST(Symmetric, FailsOnAllRanksWhenSizesDiffer) {
  if (acre::size() < 2) return;
  const auto before = free_bytes();
  expect_in(complaint_of([] {
              static_cast<void>(acre::allocate_symmetric<char>(acre::rank() == 0 ? 1 << 10 : 1));
            }),
            "the ranks request different sizes, from 1 B to 1 KiB");
  constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
  EXPECT_THROW(static_cast<void>(acre::allocate_symmetric<long>(acre::rank() == 0 ? most : 1)),
               acre::error);
  EXPECT_EQ(free_bytes(), before);
}

TEST(Symmetric, FailsOnAllRanksWhenThereIsNoRoom) {
  const auto before = free_bytes();
  expect_in(
      complaint_of([] { static_cast<void>(acre::allocate_symmetric<char>(std::size_t{1} << 50)); }),
      "allocate_symmetric: the symmetric heap is out of memory for 1 PiB");
  EXPECT_EQ(free_bytes(), before);
}

TEST(Symmetric, FailsOnAllRanksWhenTheirHeapsHaveDiverged) {
  if (acre::size() < 2) return;
  void* odd = acre::rank() == 0 ? acre::runtime::allocate_symmetric(64) : nullptr;
  expect_in(complaint_of([] { static_cast<void>(acre::allocate_symmetric<int>()); }),
            "different offsets");
  acre::runtime::free_symmetric(odd);
  acre::deallocate_symmetric(acre::allocate_symmetric<int>());
}

TEST(Symmetric, IsFreedByItsOwnFunctionOnly) {
  const auto symmetric = acre::allocate_symmetric<int>();
  const auto own = acre::allocate<int>();
  expect_in(complaint_of([&] { acre::deallocate(symmetric); }), "deallocate_symmetric()");
  expect_in(complaint_of([&] { acre::deallocate_symmetric(own); }), "is not symmetric");
  if (acre::size() > 1) {
    const auto mine_or_null = acre::rank() == 0 ? symmetric : nullptr;
    expect_in(complaint_of([&] { acre::deallocate_symmetric(mine_or_null); }), "different blocks");
  }
  acre::deallocate_symmetric(global_ptr<int>());
  EXPECT_FALSE(acre::at_rank(global_ptr<int>(), 1));
  acre::deallocate(own);
  acre::deallocate_symmetric(symmetric);
}

TEST(SymmetricMemory, IsFreedOnce) {
  const auto block = acre::allocate_symmetric<int>(4);
  acre::deallocate_symmetric(block);
  const auto before = free_bytes();
  const std::string complaint = complaint_of([&] { acre::deallocate_symmetric(block); });
  expect_in(complaint, "deallocate_symmetric: no allocated block begins at rank " +
                           std::to_string(acre::rank()) + ", offset " +
                           std::to_string(block.offset()));
  EXPECT_EQ(free_bytes(), before);
}

struct mortal {
  inline static int deaths = 0;
  mortal() = default;
  mortal(const mortal&) = delete;
  mortal& operator=(const mortal&) = delete;
  ~mortal() { ++deaths; }
  std::uint64_t data[8] = {};
};

TEST(PrivateMemory, IsFreedOnce) {
  const auto block = acre::allocate<int>();
  acre::deallocate(block);
  const std::string where = "no allocated block begins at rank " + std::to_string(acre::rank()) +
                            ", offset " + std::to_string(block.offset());
  expect_in(complaint_of([&] { acre::deallocate(block); }), "deallocate: " + where);
  const auto first = acre::allocate<int>();
  const auto second = acre::allocate<int>();
  EXPECT_NE(first, second);
  acre::deallocate(first);
  acre::deallocate(second);
}

TEST(PrivateMemory, IsDestroyedOnceAndFromItsStart) {
  mortal::deaths = 0;
  const auto object = acre::make_global<mortal>();
  expect_in(complaint_of([&] { acre::destroy_global(object + 1); }),
            "destroy_global: no allocated block begins at rank");
  EXPECT_EQ(mortal::deaths, 0);
  acre::destroy_global(object);
  EXPECT_EQ(mortal::deaths, 1);
  expect_in(complaint_of([&] { acre::destroy_global(object); }),
            "destroy_global: no allocated block begins at rank");
  EXPECT_EQ(mortal::deaths, 1);
}

}  // namespace
