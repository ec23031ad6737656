// SPDX-License-Identifier: BSD-3-Clause
#include <acre/runtime/huge_pages.hpp>

#include <acre/base/error.hpp>
#include <acre/fabric/smp_memory.hpp>
#include <acre/runtime/counters.hpp>
#include <acre/runtime/memory.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <sys/mman.h>
#include <vector>

namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;
constexpr std::size_t bytes = 8 * huge_page;

std::size_t huge_bytes_at(const void* address) {
  std::ifstream maps("/proc/self/smaps");
  bool is_it = false;
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    std::size_t kilobytes = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx ", &begin, &end) == 2) {
      is_it = begin == reinterpret_cast<std::uintptr_t>(address);
    } else if (is_it && std::sscanf(line.c_str(), "ShmemPmdMapped: %zu", &kilobytes) == 1) {
      return kilobytes << 10;
    }
  }
  return 0;
}

class HugePages : public testing::Test {
 protected:
  HugePages() {
    memory_.open(memory_.publish(), bytes);
    block_ = memory_.map();
  }
  static std::uint64_t made() {
    return acre::runtime::counter_table[static_cast<std::size_t>(
        acre::runtime::counted::huge_page)];
  }
  bool are_there() {
    *block_ = std::byte{1};
    constexpr int collapse = 25;
    return ::madvise(block_, huge_page, collapse) == 0;
  }

  acre::fabric::smp_memory memory_;
  std::byte* block_ = nullptr;
};

TEST_F(HugePages, TakeThePlaceOfThoseThatLieWhollyInABlock) {
  if (!are_there()) GTEST_SKIP() << "the kernel has no MADV_COLLAPSE for memory files";
  const std::uint64_t before = made();
  acre::runtime::use_huge_pages(block_ + huge_page + 64, 5 * huge_page);
  const std::uint64_t these = made() - before;
  EXPECT_GE(these, 1);
  EXPECT_LE(these, 4);
  EXPECT_EQ(huge_bytes_at(block_), (these + 1) * huge_page) << "and the one of the first look";
}

TEST_F(HugePages, KeepWhatWasThere) {
  std::vector<std::byte> expected(bytes);
  std::memset(expected.data() + 3 * huge_page, 7, huge_page + 100);
  std::memcpy(block_ + 3 * huge_page, expected.data() + 3 * huge_page, huge_page + 100);
  acre::runtime::use_huge_pages(block_, bytes);
  EXPECT_EQ(std::memcmp(block_, expected.data(), bytes), 0);
}

TEST_F(HugePages, LeaveSmallBlocksAlone) {
  const std::uint64_t before = made();
  acre::runtime::use_huge_pages(block_, 2 * huge_page - 1);
  EXPECT_EQ(made(), before);
  EXPECT_EQ(huge_bytes_at(block_), 0);
}

TEST_F(HugePages, CanBeSwitchedOff) {
  ::setenv("ACRE_HUGE_PAGES", "off", 1);
  acre::runtime::choose_huge_pages();
  acre::runtime::use_huge_pages(block_, bytes);
  EXPECT_EQ(huge_bytes_at(block_), 0);
  ::unsetenv("ACRE_HUGE_PAGES");
  acre::runtime::choose_huge_pages();
}

TEST(HugePagesOfOtherMemory, AreNoFailure) {
  alignas(4096) static std::byte nothing_there[1];
  void* const hole = ::mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  acre::runtime::use_huge_pages(nothing_there, 1);
  acre::runtime::use_huge_pages(hole, bytes);
  ::munmap(hole, bytes);
  acre::runtime::choose_huge_pages();
}

class ReservedHugePages : public testing::Test {
 protected:
  ReservedHugePages() { ::setenv("ACRE_HUGE_PAGES", "reserved", 1); }
  ~ReservedHugePages() override {
    ::unsetenv("ACRE_HUGE_PAGES");
    acre::runtime::choose_huge_pages();
  }
};

TEST_F(ReservedHugePages, MakeTheWholeFileOrTellWhatToDo) {
  if (acre::fabric::free_reserved_bytes() < bytes) {
    EXPECT_THROW(acre::runtime::choose_huge_pages(), acre::error);
    return;
  }
  acre::fabric::smp_memory memory(acre::runtime::choose_huge_pages());
  memory.open(memory.publish(), bytes);
  EXPECT_EQ(memory.page_bytes(), huge_page);
  std::byte* const block = memory.map();
  block[bytes - 1] = std::byte{1};
  acre::runtime::use_huge_pages(block, bytes);
  EXPECT_EQ(block[bytes - 1], std::byte{1});
}

}  // namespace
