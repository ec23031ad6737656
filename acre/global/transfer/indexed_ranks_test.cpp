// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/error.hpp>
#include <acre/global/memory/atomic.hpp>
#include <acre/global/team/allocate.hpp>
#include <acre/global/team/team.hpp>
#include <acre/global/transfer/indexed.hpp>
#include <acre/runtime/active_message.hpp>
#include <acre/runtime/counters.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <list>
#include <random>
#include <ranges>
#include <vector>

namespace {

using acre::global_ptr;

acre::rank_t next_rank() { return (acre::rank() + 1) % acre::size(); }

template <std::size_t Bytes>
struct bytes_of {
  std::array<std::uint8_t, Bytes> bytes;
  friend bool operator==(const bytes_of&, const bytes_of&) = default;
};

template <class T>
T sample(std::size_t seed) {
  T value{};
  auto* bytes = reinterpret_cast<unsigned char*>(&value);
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    bytes[i] = static_cast<unsigned char>(seed * 37 + i * 11 + acre::rank());
  }
  return value;
}

template <class T>
class elements {
 public:
  explicit elements(std::size_t count) : mine_(acre::allocate<T>(count)), count_(count) {
    for (std::size_t i = 0; i < count; ++i) mine_.local()[i] = T{};
    neighbours_ = acre::world().allgather(mine_)[next_rank()];
  }
  ~elements() {
    acre::barrier();
    acre::deallocate(mine_);
  }
  elements(const elements&) = delete;
  elements& operator=(const elements&) = delete;
  [[nodiscard]] global_ptr<T> there() const { return neighbours_; }
  [[nodiscard]] std::vector<T> all_there() const {
    std::vector<T> all(count_);
    acre::get(neighbours_, std::span<T>(all));
    return all;
  }

 private:
  global_ptr<T> mine_;
  std::size_t count_;
  global_ptr<T> neighbours_;
};

template <class T>
class Indexed : public testing::Test {};
using sizes = testing::Types<std::uint8_t, std::uint16_t, std::int32_t, std::uint64_t, bytes_of<3>,
                             bytes_of<24>, bytes_of<8>, bytes_of<5000>>;
TYPED_TEST_SUITE(Indexed, sizes);

TYPED_TEST(Indexed, MovesWhatSinglePutsAndGetsMove) {
  using T = TypeParam;
  constexpr std::size_t room = 100;
  const elements<T> slots(room);
  std::vector<T> model(room);
  std::mt19937 random(7);
  for (const std::size_t count : {0U, 1U, 2U, 37U, 100U}) {
    std::vector<std::int16_t> order(room);
    for (std::size_t i = 0; i < room; ++i) order[i] = static_cast<std::int16_t>(i);
    std::ranges::shuffle(order, random);
    order.resize(count);
    for (int form = 0; form < 3; ++form) {
      std::vector<T> values(count);
      for (std::size_t i = 0; i < count; ++i) {
        values[i] = sample<T>(random());
        model[static_cast<std::size_t>(order[i])] = values[i];
      }
      std::vector<T> back(count);
      std::list<long> from_middle;
      for (const auto index : order) from_middle.push_back(index - 50);
      const global_ptr<const T> middle = slots.there() + 50;
      if (form == 0) {
        acre::put_indexed(slots.there(), order, std::span<const T>(values));
        acre::get_indexed(middle, from_middle, std::span<T>(back));
      } else if (form == 1) {
        acre::put_indexed_nbi(slots.there(), order, std::span<const T>(values));
        acre::quiet();
        acre::get_indexed_nbi(middle, from_middle, std::span<T>(back));
        acre::quiet();
      } else {
        acre::put_indexed_async(slots.there(), order, std::span<const T>(values)).get();
        acre::get_indexed_async(middle, from_middle, std::span<T>(back)).get();
      }
      EXPECT_TRUE(back == values) << count << ' ' << form;
      EXPECT_TRUE(slots.all_there() == model) << count << ' ' << form;
    }
  }
}

TEST(IndexedSmoke, TakesMoreThanAMessageCarries) {
  constexpr std::size_t room = 20'000;
  const elements<std::uint32_t> slots(room);
  const auto backwards =
      std::views::iota(0, static_cast<int>(room)) |
      std::views::transform([](int i) { return static_cast<int>(room) - 1 - i; });
  std::vector<std::uint32_t> values(room);
  for (std::size_t i = 0; i < room; ++i) values[i] = static_cast<std::uint32_t>(i * 3);
  acre::operation_counts spent;
  // Answers to others are counted too.
  for (acre::rank_t turn = 0; turn < acre::size(); ++turn) {
    acre::barrier();
    if (turn != acre::rank()) continue;
    const auto before = acre::counters();
    acre::put_indexed(slots.there(), backwards, std::span<const std::uint32_t>(values));
    spent = acre::counters() - before;
  }
  EXPECT_EQ(acre::get(slots.there()), (room - 1) * 3);
  std::vector<std::uint32_t> back(room);
  acre::get_indexed(slots.there(), backwards, std::span(back));
  EXPECT_TRUE(back == values);
  if (slots.there().is_local()) {
    EXPECT_EQ(spent.writes, room);
    EXPECT_EQ(spent.write_bytes, room * sizeof(std::uint32_t));
  } else {
    EXPECT_EQ(spent.writes, 0U);
    EXPECT_GT(spent.messages, 1U);
    EXPECT_LE(spent.messages, 2 + room * 12 / (acre::runtime::max_payload() / 2));
  }
}

TEST(Indexed, ReadsAnElementAsOftenAsItIsNamed) {
  const elements<int> slots(4);
  acre::put(slots.there() + 2, 7);
  std::vector<int> values(300);
  acre::get_indexed(slots.there(), std::vector<std::size_t>(300, 2), std::span(values));
  EXPECT_EQ(values, std::vector<int>(300, 7));
}

TEST(Indexed, RefusesListsOfUnequalLength) {
  const elements<int> slots(4);
  std::vector<int> values(3);
  const std::vector<int> indices{0, 1};
  EXPECT_THROW(acre::get_indexed(slots.there(), indices, std::span(values)), acre::error);
  EXPECT_THROW(acre::put_indexed_nbi(slots.there(), indices, std::span<const int>(values)),
               acre::error);
  EXPECT_THROW(
      static_cast<void>(acre::get_indexed_async(slots.there(), indices, std::span(values))),
      acre::error);
}

}  // namespace
