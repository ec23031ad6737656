// SPDX-License-Identifier: BSD-3-Clause
#include <acre/acre.hpp>
#include <acre/global/memory/symmetric_room_test.hpp>
#include <acre/runtime/memory.hpp>

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <numeric>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

namespace {

using acre::everywhere;
using acre::next_rank;
using acre::previous_rank;

using acre::global_ptr;

template <class T>
concept can_put =
    requires(global_ptr<T> p, const std::remove_const_t<T>& value) { acre::put(p, value); } ||
    requires(global_ptr<T> p, const std::remove_const_t<T>& value) { acre::put_nbi(p, value); } ||
    requires(global_ptr<T> p, const std::remove_const_t<T>& value) { acre::put_async(p, value); };
template <class T>
concept can_put_many = requires(global_ptr<T> p, std::span<const std::remove_const_t<T>> values) {
  acre::put(p, values);
} || requires(global_ptr<T> p, std::span<const std::remove_const_t<T>> values) {
  acre::put_nbi(p, values);
} || requires(global_ptr<T> p, std::span<const std::remove_const_t<T>> values) {
  acre::put_async(p, values);
};
template <class T>
concept can_put_boxes =
    requires(global_ptr<T> p, std::array<std::size_t, 2> extents,
             std::array<std::ptrdiff_t, 2> strides,
             int* source) { acre::put_strided(p, extents, strides, source, strides); } ||
    requires(global_ptr<T> p, std::array<std::size_t, 2> extents,
             std::array<std::ptrdiff_t, 2> strides,
             int* source) { acre::put_strided_nbi(p, extents, strides, source, strides); };
template <class T>
concept can_copy_to = requires(global_ptr<T> p, global_ptr<int> from) {
  acre::copy(from, p, 1);
} || requires(global_ptr<T> p, global_ptr<int> from) { acre::copy_async(from, p, 1); };
template <class T>
concept can_change = requires(global_ptr<T> p) { acre::fetch_add(p, 1); } ||
                     requires(global_ptr<T> p) { acre::atomic_store(p, 1); } ||
                     requires(global_ptr<T> p) { acre::atomic_exchange(p, 1); } ||
                     requires(global_ptr<T> p) { acre::atomic_compare_exchange(p, 1, 2); } ||
                     requires(global_ptr<T> p) { acre::atomic_add_nbi(p, 1); } ||
                     requires(global_ptr<T> p) { acre::fetch_add_async(p, 1); };
static_assert(can_put<int> && !can_put<const int>);
static_assert(can_put_many<int> && !can_put_many<const int>);
static_assert(can_put_boxes<int> && !can_put_boxes<const int>);
static_assert(can_copy_to<int> && !can_copy_to<const int>);
static_assert(can_change<int> && !can_change<const int>);
static_assert(std::is_assignable_v<acre::global_ref<int>, int>);
static_assert(!std::is_assignable_v<acre::global_ref<const int>, int>);

template <class T>
class PutGetSmoke : public testing::Test {};
struct three_bytes {
  std::array<std::uint8_t, 3> bytes;
  friend bool operator==(const three_bytes&, const three_bytes&) = default;
};
struct large {
  std::array<std::uint64_t, 40> words;
  friend bool operator==(const large&, const large&) = default;
};
template <class T>
T sample(unsigned seed) {
  T value{};
  auto* bytes = reinterpret_cast<unsigned char*>(&value);
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    bytes[i] = static_cast<unsigned char>(seed * 37 + i * 11 + 1);
  }
  return value;
}
using values =
    testing::Types<std::uint8_t, std::int16_t, std::uint32_t, std::int64_t, three_bytes, large>;
TYPED_TEST_SUITE(PutGetSmoke, values);

TYPED_TEST(PutGetSmoke, CarriesValuesOfAllSizesBothWays) {
  using T = TypeParam;
  const everywhere<T> slot(4);
  const T mine = sample<T>(acre::rank());
  acre::put(slot.on(next_rank()), mine);
  acre::put_nbi(slot.on(next_rank()) + 1, mine);
  acre::put_async(slot.on(next_rank()) + 2, mine).get();
  slot.on(next_rank())[3] = mine;
  acre::barrier();
  for (int i = 0; i < 4; ++i) {
    EXPECT_TRUE(slot.here()[i] == sample<T>(previous_rank())) << i;
  }
  EXPECT_TRUE(acre::get(slot.on(next_rank())) == mine);
  EXPECT_TRUE(acre::get_async(slot.on(next_rank()) + 1).get() == mine);
  EXPECT_TRUE(T(slot.on(next_rank())[2]) == mine);
}

TEST(PutGetSmoke, CarriesArraysOfAllLengths) {
  constexpr std::size_t longest = 300'000;
  const everywhere<std::uint32_t> array(longest + 2);
  for (const std::size_t length : {std::size_t{0}, std::size_t{1}, std::size_t{15},
                                   std::size_t{1000}, std::size_t{65'537}, longest}) {
    std::vector<std::uint32_t> sent(length);
    std::iota(sent.begin(), sent.end(), acre::rank() * 1'000'003U);
    acre::put(array.on(next_rank()) + 1, std::span<const std::uint32_t>(sent));
    std::vector<std::uint32_t> back(length);
    acre::get(array.on(next_rank()) + 1, std::span(back));
    EXPECT_EQ(back, sent) << length;
    std::fill(back.begin(), back.end(), 0);
    acre::put_nbi(array.on(next_rank()) + 1, std::span<const std::uint32_t>(sent));
    acre::quiet();
    acre::get_nbi(array.on(next_rank()) + 1, std::span(back));
    acre::quiet();
    EXPECT_EQ(back, sent) << length;
    acre::barrier();
    EXPECT_EQ(array.here()[0], 0U);
    EXPECT_EQ(array.here()[length + 1], 0U);
    acre::barrier();
    std::fill_n(array.here(), longest + 2, 0U);
    acre::barrier();
  }
}

TEST(PutGet, CompletesManySmallPutsBeforeTheBarrierEnds) {
  constexpr std::size_t count = 5'000;
  const everywhere<std::uint64_t> slots(count * acre::size());
  for (std::size_t i = 0; i < count; ++i) {
    for (acre::rank_t target = 0; target < acre::size(); ++target) {
      acre::put_nbi(slots.on(target) + static_cast<std::ptrdiff_t>(acre::rank() * count + i),
                    (i + 1) * (acre::rank() + 1));
    }
  }
  acre::barrier();
  for (acre::rank_t source = 0; source < acre::size(); ++source) {
    for (std::size_t i = 0; i < count; ++i) {
      ASSERT_EQ(slots.here()[source * count + i], (i + 1) * (source + 1));
    }
  }
}

TEST(PutGet, CopiesBetweenAnyTwoRanks) {
  const everywhere<int> from(1000);
  const everywhere<int> to(1000);
  std::iota(from.here(), from.here() + 1000, static_cast<int>(acre::rank()) * 10'000);
  acre::barrier();
  const acre::rank_t target = (acre::rank() + 2) % acre::size();
  acre::copy(from.on(next_rank()), to.on(target), 500);
  acre::copy_async(from.on(next_rank()) + 500, to.on(target) + 500, 500).get();
  acre::barrier();
  const acre::rank_t writer = (acre::rank() + 2 * acre::size() - 2) % acre::size();
  const int first = static_cast<int>((writer + 1) % acre::size()) * 10'000;
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(to.here()[i], first + i);
}

TEST(PutGet, ReadsThroughPointersToConstants) {
  const everywhere<int> slot(2);
  slot.here()[0] = static_cast<int>(acre::rank());
  acre::barrier();
  const global_ptr<const int> constant = slot.on(next_rank());
  const int expected = static_cast<int>(next_rank());
  EXPECT_EQ(acre::get(constant), expected);
  EXPECT_EQ(acre::get_async(constant).get(), expected);
  EXPECT_EQ(acre::atomic_load(constant), expected);
  EXPECT_EQ(acre::atomic_load_async(constant).get(), expected);
  EXPECT_EQ(*constant, expected);
  acre::copy(constant, slot.on(acre::rank()) + 1, 1);
  EXPECT_EQ(slot.here()[1], expected);
}

TEST(PutGet, CopiesBoxesOfThreeDimensions) {
  const everywhere<int> array(8 * 9 * 10);
  std::vector<int> box(4 * 5 * 6);
  std::iota(box.begin(), box.end(), 1);
  const std::array<std::size_t, 3> extents{4, 5, 6};
  const std::array<std::ptrdiff_t, 3> outer{90, 10, 1};
  const std::array<std::ptrdiff_t, 3> inner{30, 6, 1};
  const std::ptrdiff_t corner = 2 * 90 + 3 * 10 + 1;
  acre::put_strided(array.on(next_rank()) + corner, extents, outer, box.data(), inner);
  acre::barrier();
  int sum = 0;
  for (int i = 0; i < 8 * 9 * 10; ++i) sum += array.here()[i];
  EXPECT_EQ(sum, std::accumulate(box.begin(), box.end(), 0));
  EXPECT_EQ(array.here()[corner], 1);
  EXPECT_EQ(array.here()[corner + 90 + 10 + 1], 1 + 30 + 6 + 1);
  std::vector<int> transposed(box.size());
  acre::get_strided(array.on(next_rank()) + corner, std::array<std::size_t, 3>{4, 6, 5},
                    std::array<std::ptrdiff_t, 3>{90, 1, 10}, transposed.data(),
                    std::array<std::ptrdiff_t, 3>{30, 5, 1});
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 5; ++j) {
      for (int k = 0; k < 6; ++k) {
        ASSERT_EQ(transposed[static_cast<std::size_t>(i * 30 + k * 5 + j)],
                  box[static_cast<std::size_t>(i * 30 + j * 6 + k)]);
      }
    }
  }
}

TEST(PutGet, PacksManyShortRunsOfABoxIntoAFewMessages) {
  constexpr std::size_t rows = 3000;
  const everywhere<int> array(rows * 20);
  std::vector<int> box(rows * 5);
  std::iota(box.begin(), box.end(), 1);
  const std::array<std::size_t, 2> extents{rows, 5};
  const std::array<std::ptrdiff_t, 2> outer{20, 1};
  const std::array<std::ptrdiff_t, 2> inner{5, 1};
  const auto before = acre::counters();
  acre::put_strided(array.on(next_rank()) + 7, extents, outer, box.data(), inner);
  std::vector<int> again(box.size());
  acre::get_strided(array.on(next_rank()) + 7, extents, outer, again.data(), inner);
  const auto spent = acre::counters() - before;
  EXPECT_EQ(again, box);
  if (!array.on(next_rank()).is_local()) {
    EXPECT_LT(spent.messages, 200U);
    EXPECT_EQ(spent.reads + spent.writes, 0U);
  }
  acre::barrier();
  EXPECT_EQ(array.here()[6], 0);
  EXPECT_EQ(array.here()[7 + 20], 6);
  EXPECT_EQ(std::accumulate(array.here(), array.here() + rows * 20, 0L),
            std::accumulate(box.begin(), box.end(), 0L));
  acre::barrier();
}

TEST(PutGet, CopiesBoxesOfManyDimensions) {
  constexpr std::size_t dimensions = 10;
  const everywhere<std::uint16_t> array(1 << (2 * dimensions));
  std::array<std::size_t, dimensions> extents{};
  std::array<std::ptrdiff_t, dimensions> outer{};
  std::array<std::ptrdiff_t, dimensions> inner{};
  for (std::size_t d = 0; d < dimensions; ++d) {
    const std::size_t faster = dimensions - 1 - d;
    extents[d] = 2;
    outer[d] = std::ptrdiff_t{1} << (2 * faster + 1);
    inner[d] = std::ptrdiff_t{1} << d;
  }
  std::vector<std::uint16_t> box(1 << dimensions);
  std::iota(box.begin(), box.end(), std::uint16_t{1});
  acre::put_strided(array.on(next_rank()), extents, outer, box.data(), inner);
  acre::barrier();
  for (std::size_t i = 0; i < box.size(); ++i) {
    std::size_t there = 0;
    for (std::size_t d = 0; d < dimensions; ++d) {
      if ((i >> d & 1) != 0) there += static_cast<std::size_t>(outer[d]);
    }
    ASSERT_EQ(array.here()[there], box[i]);
  }
  std::vector<std::uint16_t> back(box.size());
  acre::get_strided(array.on(next_rank()), extents, outer, back.data(), inner);
  EXPECT_EQ(back, box);
  acre::barrier();
}

TEST(PutGet, CountsWhatItDoes) {
  const everywhere<std::uint64_t> slot(16);
  acre::barrier();
  const auto before = acre::counters();
  acre::put(slot.on(next_rank()), 1U);
  static_cast<void>(acre::get(slot.on(next_rank())));
  std::array<std::uint64_t, 10> ten{};
  acre::put(slot.on(next_rank()), std::span<const std::uint64_t>(ten));
  acre::fetch_add(slot.on(next_rank()) + 12, 1U);
  const auto spent = acre::counters() - before;
  EXPECT_EQ(spent.writes, 2U);
  EXPECT_EQ(spent.write_bytes, 88U);
  EXPECT_EQ(spent.reads, 1U);
  EXPECT_EQ(spent.read_bytes, 8U);
  EXPECT_EQ(spent.atomics, 1U);
}

TEST(PutGet, CountsTheBytesOfWordsThatItDoesNotWaitFor) {
  const everywhere<std::uint64_t> slot(4);
  acre::barrier();
  const auto before = acre::counters();
  const auto target = slot.on(next_rank());
  acre::put_nbi(acre::reinterpret_pointer_cast<std::uint8_t>(target), 1U);
  acre::put_nbi(acre::reinterpret_pointer_cast<std::uint16_t>(target + 1), 1U);
  acre::put_nbi(acre::reinterpret_pointer_cast<std::uint32_t>(target + 2), 1U);
  acre::put_nbi(target + 3, 1U);
  acre::quiet();
  const auto spent = acre::counters() - before;
  EXPECT_EQ(spent.writes, 4U);
  EXPECT_EQ(spent.write_bytes, 15U);
  EXPECT_EQ(spent.network_operations, target.is_local() ? 0U : 4U);
}

TEST(Allocate, GivesMemoryThatOthersCanAddress) {
  const global_ptr<int> mine = acre::allocate<int>(100);
  EXPECT_EQ(mine.rank(), acre::rank());
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(mine.local()) % 64, 0U);
  const auto all = acre::world().allgather(mine);
  for (const auto& each : all) acre::put(each + acre::rank(), static_cast<int>(acre::rank()) + 1);
  acre::barrier();
  for (acre::rank_t r = 0; r < acre::size(); ++r) {
    EXPECT_EQ(mine.local()[r], static_cast<int>(r) + 1);
  }
  if (acre::size() > 1) {
    EXPECT_THROW(acre::deallocate(all[next_rank()]), acre::error);
  }
  acre::barrier();
  acre::deallocate(mine);
}

TEST(Allocate, SaysWhatToDoWhenMemoryIsFull) {
  const auto before = acre::runtime::segment_free();
  try {
    static_cast<void>(acre::allocate<char>(std::size_t{1} << 50));
    FAIL() << "a petabyte was allocated";
  } catch (const acre::error& failure) {
    const std::string text = failure.what();
    EXPECT_NE(text.find("1 PiB"), std::string::npos) << text;
    EXPECT_NE(text.find("ACRE_SEGMENT_SIZE"), std::string::npos) << text;
  }
  EXPECT_THROW(static_cast<void>(acre::allocate<std::uint64_t>(SIZE_MAX / 2)), acre::error);
  EXPECT_EQ(acre::runtime::segment_free().private_part, before.private_part);
}

TEST(Allocate, ReusesWhatWasFreed) {
  const auto before = acre::runtime::segment_free();
  std::mt19937 random(acre::rank());
  std::vector<global_ptr<std::byte>> blocks;
  for (int i = 0; i < 2'000; ++i) {
    if (!blocks.empty() && random() % 2 == 0) {
      const std::size_t which = random() % blocks.size();
      acre::deallocate(blocks[which]);
      blocks.erase(blocks.begin() + static_cast<std::ptrdiff_t>(which));
    } else {
      const std::size_t bytes = random() % 100 == 0 ? 5'000'000 : random() % 5'000;
      blocks.push_back(acre::allocate<std::byte>(bytes));
      if (bytes != 0) blocks.back().local()[bytes - 1] = std::byte{1};
    }
  }
  for (const auto& block : blocks) acre::deallocate(block);
  EXPECT_EQ(acre::runtime::segment_free().private_part, before.private_part);
}

TEST(GlobalPtr, ConvertsAndComparesLikeAPointer) {
  struct base {
    int a = 1;
  };
  struct other {
    int b = 2;
  };
  struct derived : base, other {
    int c = 3;
  };
  const auto object = acre::make_global<derived>();
  const global_ptr<other> second = object;
  EXPECT_EQ(second.local(), static_cast<other*>(object.local()));
  EXPECT_EQ(acre::static_pointer_cast<derived>(second), object);
  EXPECT_EQ(acre::get(object.member(&derived::c)), 3);
  EXPECT_EQ(acre::get(global_ptr<const int>(object.member(&other::b))), 2);
  const global_ptr<other> none = global_ptr<derived>(nullptr);
  EXPECT_FALSE(none);
  EXPECT_EQ(none.local(), nullptr);
  const global_ptr<int> p(3, 64);
  EXPECT_EQ((p + 5) - p, 5);
  EXPECT_EQ((p + 5).offset(), 84U);
  EXPECT_LT(p, p + 1);
  EXPECT_LT(p + 1'000'000, global_ptr<int>(4, 0));
  EXPECT_EQ(global_ptr<int>::from_bits(p.bits()), p);
  acre::destroy_global(object);
}

TEST(GlobalPtr, IsPrintedWithItsRankAndOffset) {
  const auto text_of = [](const auto& p) {
    std::ostringstream out;
    out << std::hex << p;
    return out.str();
  };
  EXPECT_EQ(text_of(global_ptr<int>(30, 64)), "rank 30 + 0x40");
  EXPECT_EQ(text_of(global_ptr<const double>(0, 0xabcd0)), "rank 0 + 0xabcd0");
  EXPECT_EQ(text_of(global_ptr<void>()), "null");
  EXPECT_EQ(text_of(global_ptr<char>::from_bits(~std::uint64_t{0})),
            "rank 1048575 + 0xfffffffffff");
  std::wostringstream wide;
  wide << global_ptr<int>(1, 16);
  EXPECT_EQ(wide.str(), L"rank 1 + 0x10");
}

TEST(GlobalPtr, IsAKeyOfUnorderedContainers) {
  std::unordered_map<global_ptr<int>, int> numbers;
  std::set<std::size_t> low_bits;
  for (acre::rank_t r = 0; r < 8; ++r) {
    for (std::uint64_t offset = 64; offset < 64 + 4 * 128; offset += 4) {
      const global_ptr<int> p(r, offset);
      numbers[p] = static_cast<int>(offset);
      low_bits.insert(std::hash<global_ptr<int>>()(p) % 1024);
    }
  }
  EXPECT_EQ(numbers.size(), 8U * 128);
  EXPECT_EQ(numbers.at(global_ptr<int>(7, 68)), 68);
  EXPECT_FALSE(numbers.contains(global_ptr<int>(8, 68)));
  EXPECT_GT(low_bits.size(), 500U);
}

#if ACRE_CHECKS
template <class Call>
std::string complaint_of(Call&& call) {
  try {
    call();
  } catch (const acre::error& failure) {
    return failure.call() + ": " + failure.problem();
  }
  return "no complaint";
}

TEST(Checks, ExplainPointersThatCannotBeMeant) {
  const global_ptr<int> null;
  const global_ptr<int> of_nobody(acre::size(), 64);
  const global_ptr<int> beyond(0, acre::offset_mask & ~std::uint64_t{7});
  const auto says = [](const std::string& text, const char* part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  says(complaint_of([&] { acre::put(null, 1); }), "put: the global pointer is null at ");
  says(complaint_of([&] { acre::put(null, 1); }), "put_get_ranks_test.cpp:");
  says(complaint_of([&] { *null = 1; }), "put: the global pointer is null (used by a reference");
  says(complaint_of([&] { acre::copy(null, null, 1); }), "copy: the global pointer is null at ");
  says(complaint_of([&] { acre::put(of_nobody, 1); }), "the global pointer names rank ");
  says(complaint_of([&] { static_cast<void>(of_nobody.local()); }),
       "global_ptr::local: the global pointer names rank ");
  says(complaint_of([&] { static_cast<void>(acre::get(beyond)); }), "is beyond the segment");
}
#endif

}  // namespace
