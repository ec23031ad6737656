// Boxes of many short runs between nodes, while there is no memory to pack them. Not with
// AddressSanitizer, which has allocation functions of its own.
#include <acre/base/address_sanitizer.hpp>

#if !ACRE_ADDRESS_SANITIZER

#include <acre/global/detail/runs_there.hpp>
#include <acre/global/strided.hpp>
#include <acre/global/strided_async.hpp>
#include <acre/global/symmetric_room_test.hpp>
#include <acre/global/team.hpp>
#include <acre/runtime/counters.hpp>
#include <acre/runtime/remote.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <climits>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <vector>

// --- memory that runs out -----------------------------------------------------------

namespace {
/// How often there is memory for as much as a stage.
std::atomic<int> stages_of_memory{INT_MAX};

bool is_refused(std::size_t bytes) {
  if (bytes < acre::detail::stage_bytes || stages_of_memory == INT_MAX) return false;
  return stages_of_memory-- <= 0;
}
}  // namespace

// Not inlined, or GCC sees half of a pair and warns of a mismatch.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  void* const memory = is_refused(bytes) ? nullptr : std::malloc(bytes);
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

/// While this lives there is memory for so many stages, and no more.
struct out_of_memory {
  explicit out_of_memory(int stages = 0) { stages_of_memory = stages; }
  ~out_of_memory() { stages_of_memory = INT_MAX; }
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

TEST(BoxMovesOutOfMemory, ThatFailHalfwayTellNoEnd) {
  stage_of_runs box;
  int told = 0;
  bool has_failed = false;
  const auto put = [&] {  // two stages, the second over the first
    const std::array<std::size_t, 3> twice{2, box.part[0], box.part[1]};
    const std::array<std::ptrdiff_t, 3> there{0, box.there[0], box.there[1]};
    const std::array<std::ptrdiff_t, 3> here{0, box.here[0], box.here[1]};
    acre::put_strided_async(box.target, twice, there, box.memory.data(), here,
                            acre::on_operation([&] { ++told; }));
  };
  try {
    const out_of_memory now(1);
    put();
  } catch (const std::bad_alloc&) {
    has_failed = true;
  }
  EXPECT_EQ(has_failed, box.is_staged);
  acre::quiet();
  acre::progress();
  EXPECT_EQ(told, has_failed ? 0 : 1);
  EXPECT_TRUE(box.is_there());
  acre::barrier();
}

}  // namespace

#endif
