// SPDX-License-Identifier: BSD-3-Clause
#include <acre/agas/collection.hpp>
#include <acre/agas/collection_section.hpp>
#include <acre/base/failure_of_test.hpp>
#include <acre/global/team/drain.hpp>
#include <acre/global/team/team.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <tuple>
#include <vector>

namespace {

using acre::base_test::failure_of;

struct cell {
  std::size_t number = 0;
  int calls = 0;
  cell() = default;
  explicit cell(std::size_t own) : number(own) {}
  void call() { ++calls; }
  void add(int more) { calls += more; }
  [[nodiscard]] std::size_t value() const { return number; }
  friend auto acre_fields(cell& c) { return std::tie(c.number, c.calls); }
};

const auto by_number = [](std::size_t i) { return i; };

std::vector<int> calls_of(const acre::object_collection<cell>& cells) {
  std::vector<int> calls;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    calls.push_back(acre::invoke(cells[i], &cell::calls).get());
  }
  acre::barrier();
  return calls;
}

TEST(CollectionSectionSmoke, CallsItsMembersOnceWhileTheyMove) {
  constexpr std::size_t extent = 20;
  const auto cells = acre::make_collection<cell>(extent, by_number);
  std::size_t modulus = 3;
  const auto thirds = acre::section(cells, [modulus](std::size_t i) { return i % modulus == 1; });
  const auto strided = acre::section(cells, 2, 11, 4);  // 2, 6, 10
  const auto listed = acre::section(cells, std::vector<std::size_t>{19, 0, 7});
  std::vector<int> wanted(extent);
  for (std::size_t round = 0; round < 4; ++round) {
    for (std::size_t i = acre::rank(); i < extent; i += acre::size()) {
      static_cast<void>(acre::migrate(cells[i], acre::rank_t(i + round) % acre::size()));
    }
    acre::invoke_all(thirds, &cell::call);
    acre::invoke_all(strided, &cell::add, 100);
    if (acre::rank() == 0) acre::invoke_all_ff(listed, &cell::add, 10'000);
    EXPECT_EQ(acre::invoke_reduce(thirds, acre::op::sum, &cell::value), 70);
    EXPECT_EQ(acre::invoke_reduce(strided, acre::op::sum, &cell::value), 18);
    EXPECT_EQ(acre::invoke_reduce(listed, acre::op::max, &cell::value), 19);
    for (std::size_t i = 0; i < extent; ++i) {
      wanted[i] += int(i % 3 == 1) + 100 * int(i == 2 || i == 6 || i == 10) +
                   10'000 * int(i == 0 || i == 7 || i == 19);
    }
  }
  acre::drain();
  EXPECT_EQ(calls_of(cells), wanted);
}

TEST(CollectionSection, OfAPlaneIsABoxAListOrAPredicate) {
  const auto plane =
      acre::make_collection<cell>({5, 6}, [](const auto& at) { return 6 * at[0] + at[1]; });
  EXPECT_EQ(acre::invoke_reduce(acre::section(plane, {1, 2}, {3, 2}), acre::op::sum, &cell::value),
            (8 + 9) + (14 + 15) + (20 + 21));
  EXPECT_EQ(acre::invoke_reduce(acre::section(plane, {0, 1}, {5, 5}, {4, 3}), acre::op::sum,
                                &cell::value),
            1 + 4 + 25 + 28);
  const std::vector<acre::member_index<2>> corners{{0, 0}, {4, 5}, {4, 0}};
  EXPECT_EQ(acre::invoke_reduce(acre::section(plane, corners), acre::op::sum, &cell::value), 53);
  const auto diagonal = acre::section(plane.id(), [](const auto& at) { return at[0] == at[1]; });
  EXPECT_EQ(acre::invoke_reduce(diagonal, acre::op::sum, &cell::value), 7 * (1 + 2 + 3 + 4));
  EXPECT_TRUE(diagonal.contains({3, 3}));
  EXPECT_FALSE(diagonal.contains({3, 2}));
  const auto none = acre::section(plane, {2, 2}, {0, 3});
  EXPECT_EQ(acre::invoke_reduce(none, acre::op::sum, &cell::value), 0);
  acre::barrier();
}

TEST(CollectionSection, TravelsInCalls) {
  const auto cells = acre::make_collection<cell>(9, by_number);
  const auto listed = acre::section(cells, std::vector<std::size_t>{1, 8});
  const auto odd = acre::section(cells, [](std::size_t i) { return i % 2 == 1; });
  acre::rpc((acre::rank() + 1) % acre::size(),
            [](const decltype(listed)& few, const decltype(odd)& many) {
              acre::invoke_all_ff(few, &cell::add, 10);
              acre::invoke_all_ff(many, &cell::call);
            },
            listed, odd)
      .get();
  acre::drain();
  const int ranks = int(acre::size());
  EXPECT_EQ(calls_of(cells),
            (std::vector<int>{0, 11 * ranks, 0, ranks, 0, ranks, 0, ranks, 10 * ranks}));
}

TEST(CollectionSection, OmitsDestroyedMembers) {
  const auto cells = acre::make_collection<cell>(8, by_number);
  const auto few = acre::section(cells, 0, 8, 3);  // 0, 3, 6
  if (acre::rank() == 0) acre::destroy(cells[3]).get();
  acre::barrier();
  EXPECT_EQ(acre::invoke_reduce(few, acre::op::sum, [](const cell&) { return 1; }), 2);
}

TEST(CollectionSection, IsRefusedOutsideOfTheCollection) {
  const auto cells = acre::make_collection<cell>(8, by_number);
  const auto plane = acre::make_collection<cell>({2, 3});
  EXPECT_NE(failure_of([&] {
              static_cast<void>(acre::section(cells, 4, 5));
            }).find("indices 4 to 9 of dimension 0 exceed the collection of 8"),
            std::string::npos);
  EXPECT_NE(failure_of([&] {
              static_cast<void>(acre::section(plane, {0, 0}, {2, 3}, {1, 0}));
            }).find("the step in dimension 1 is 0"),
            std::string::npos);
  EXPECT_NE(failure_of([&] {
              static_cast<void>(acre::section(cells, std::vector<std::size_t>{3, 8}));
            }).find("member 8 is out of range"),
            std::string::npos);
  if (acre::size() > 1) {
    const auto mine = acre::section(cells, acre::rank() == 0 ? 0 : 1, 2);
    EXPECT_THROW(acre::invoke_all(mine, &cell::call), acre::error);
  }
  acre::barrier();
}

}  // namespace
