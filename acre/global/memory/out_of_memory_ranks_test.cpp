// SPDX-License-Identifier: BSD-3-Clause
// Packing of boxes without memory. Not with sanitizers, which replace the allocation functions.
#include <acre/base/sanitizers.hpp>

#if !ACRE_ADDRESS_SANITIZER && !ACRE_THREAD_SANITIZER

#include <acre/global/memory/symmetric_room_test.hpp>
#include <acre/global/team/team.hpp>
#include <acre/global/transfer/detail/runs_there.hpp>
#include <acre/global/transfer/strided.hpp>
#include <acre/global/transfer/strided_async.hpp>
#include <acre/runtime/block_pool.hpp>
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

namespace {
std::atomic<int> stages_of_memory{INT_MAX};

thread_local int records_of_memory = INT_MAX;

bool is_refused(std::size_t bytes) {
  const bool is_of_records = bytes > 192 && bytes <= 512;
  if (is_of_records && records_of_memory != INT_MAX) return records_of_memory-- <= 0;
  if (bytes < acre::global::stage_bytes || stages_of_memory == INT_MAX) return false;
  return stages_of_memory-- <= 0;
}
}  // namespace

// Not inlined: GCC would report a mismatch of new and free.
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

struct stage_of_runs {
  static constexpr std::array<std::size_t, 2> part{4096, 64};
  static constexpr std::array<std::ptrdiff_t, 2> there{80, 1};
  static constexpr std::array<std::ptrdiff_t, 2> here{65, 1};

  everywhere<unsigned char> array{std::size_t{4096} * 80};
  std::vector<unsigned char> memory = std::vector<unsigned char>(std::size_t{4096} * 65, 5);
  acre::global_ptr<unsigned char> target = array.on(next_rank());
  bool is_staged = !target.is_local() && acre::runtime::may_put_ahead(acre::global::stage_bytes);

  void put() { acre::put_strided(target, part, there, memory.data(), here); }
  void get() { acre::get_strided(target, part, there, memory.data(), here); }
  [[nodiscard]] bool is_there() {
    memory.assign(memory.size(), 0);
    get();
    return std::ranges::count(memory, 5) == 4096 * 64;
  }
};

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
  for (int i = 0; i < 6; ++i) {
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
    for (int i = 0; i < 40; ++i) EXPECT_TRUE(box.is_there());
    acre::barrier();
  }
  acre::barrier();
  const auto before = acre::counters();
  for (int i = 0; i < 8; ++i) EXPECT_TRUE(box.is_there());
  acre::barrier();
  if (box.is_staged && acre::size() == 2) {
    EXPECT_GE((acre::counters() - before).writes, 1U);
  }
}

class out_of_records {
 public:
  explicit out_of_records(int records) {
    for (auto& each : kept_) each = acre::runtime::allocate_block(size_of(each));
    records_of_memory = records;
  }
  ~out_of_records() {
    records_of_memory = INT_MAX;
    for (auto& each : kept_) acre::runtime::return_block(each, size_of(each));
  }
  out_of_records(const out_of_records&) = delete;
  out_of_records& operator=(const out_of_records&) = delete;

 private:
  [[nodiscard]] std::size_t size_of(void*& block) const {
    return static_cast<std::size_t>(&block - kept_.data()) / 64 * 64 + 256;
  }
  std::array<void*, std::size_t{5} * 64> kept_{};
};

TEST(BoxMovesOutOfMemory, WriteNothingMoreWhereTheyHaveFailedHalfway) {
  constexpr std::size_t bytes = 64;
  constexpr std::size_t runs = 6 * acre::global::stage_bytes / bytes;
  const everywhere<unsigned char> array(runs * (bytes + 1));
  std::fill_n(array.here(), runs * (bytes + 1), 5);
  acre::barrier();
  const auto source = array.on(next_rank());
  std::vector<unsigned char> memory(runs * bytes);
  int failed = 0;
  for (int records = 0; acre::rank() == 0 && records < 4; ++records) {
    try {
      const out_of_records now(records);
      acre::get_strided_nbi(source, std::array{runs, bytes},
                            std::array<std::ptrdiff_t, 2>{bytes + 1, 1}, memory.data(),
                            std::array<std::ptrdiff_t, 2>{bytes, 1});
    } catch (const std::bad_alloc&) {
      ++failed;
      memory.assign(memory.size(), 1);
      acre::quiet();
      EXPECT_EQ(std::ranges::count(memory, 1), static_cast<std::ptrdiff_t>(memory.size()));
    }
    acre::quiet();
  }
  if (acre::rank() == 0 && !source.is_local()) {
    EXPECT_EQ(failed, 4);
  }
  acre::barrier();
}

TEST(BoxMovesOutOfMemory, ThatFailHalfwayTellNoEnd) {
  stage_of_runs box;
  int told = 0;
  bool has_failed = false;
  const auto put = [&] {
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
