// Boxes of many short runs between nodes, while there is no memory to pack them. Not with
// AddressSanitizer, which has allocation functions of its own.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ACRE_ALLOCATION_IS_TAKEN
#endif
#endif
#ifndef ACRE_ALLOCATION_IS_TAKEN

#include <acre/global/detail/runs_there.hpp>
#include <acre/global/strided.hpp>
#include <acre/global/symmetric_room_test.hpp>
#include <acre/global/team.hpp>
#include <acre/runtime/counters.hpp>
#include <acre/runtime/remote.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <vector>

// --- memory that runs out -----------------------------------------------------------

namespace {
/// As many bytes at once there are not.
std::atomic<std::size_t> too_many_bytes{SIZE_MAX};
}  // namespace

// Not inlined, or GCC sees half of a pair and warns of a mismatch.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  void* const memory = bytes < too_many_bytes ? std::malloc(bytes) : nullptr;
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace {

using acre::everywhere;
using acre::next_rank;

/// A stage of short runs, which fails to be packed while there is no memory for it.
struct stage_of_runs {
  static constexpr std::array<std::size_t, 2> part{4096, 64};
  static constexpr std::array<std::ptrdiff_t, 2> there{80, 1};
  static constexpr std::array<std::ptrdiff_t, 2> here{65, 1};

  everywhere<unsigned char> array{std::size_t{4096} * 80};
  std::vector<unsigned char> memory = std::vector<unsigned char>(std::size_t{4096} * 65, 5);
  acre::global_ptr<unsigned char> target = array.on(next_rank());
  bool is_staged = !target.is_local() && acre::runtime::may_put_ahead(acre::detail::stage_bytes);

  void put() { acre::put_strided(target, part, there, memory.data(), here); }
  void get() { acre::get_strided(target, part, there, memory.data(), here); }
  /// Whether all that is there is as it was put.
  [[nodiscard]] bool is_there() {
    memory.assign(memory.size(), 0);
    get();
    return std::ranges::count(memory, 5) == 4096 * 64;
  }
};

/// No memory while this lives for as much as a stage.
struct out_of_memory {
  out_of_memory() { too_many_bytes = acre::detail::stage_bytes; }
  ~out_of_memory() { too_many_bytes = SIZE_MAX; }
  out_of_memory(const out_of_memory&) = delete;
  out_of_memory& operator=(const out_of_memory&) = delete;
};

TEST(BoxMovesOutOfMemory, LoseNoStageByFailing) {
  stage_of_runs box;
  box.put();
  int failed = 0;
  for (int i = 0; i < 6; ++i) {  // more than a rank lends to another one
    const out_of_memory now;
    try {
      box.put();
    } catch (const std::bad_alloc&) {
      ++failed;
    }
  }
  EXPECT_EQ(failed, box.is_staged ? 6 : 0);
  box.put();
  EXPECT_TRUE(box.is_there());
  acre::barrier();
}

TEST(BoxMovesOutOfMemory, AreReadInMessagesWhileTheOwnerHasNoMemory) {
  stage_of_runs box;
  box.put();
  acre::barrier();
  {
    const out_of_memory now;
    for (int i = 0; i < 40; ++i) EXPECT_TRUE(box.is_there());  // more than an owner puts at once
    acre::barrier();
  }
  acre::barrier();
  const auto before = acre::counters();
  for (int i = 0; i < 8; ++i) EXPECT_TRUE(box.is_there());
  acre::barrier();  // this rank has served the other one's
  if (box.is_staged && acre::size() == 2) {
    EXPECT_GE((acre::counters() - before).writes, 1U);
  }
}

}  // namespace

#endif
