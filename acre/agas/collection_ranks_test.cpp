// SPDX-License-Identifier: BSD-3-Clause
#include <acre/agas/collection.hpp>
#include <acre/agas/invoke_to.hpp>
#include <acre/agas/names.hpp>
#include <acre/global/team/drain.hpp>
#include <acre/global/team/team.hpp>
#include <acre/runtime/counters.hpp>
#include <acre/runtime/lost_failure.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

namespace {

std::atomic<int> alive = 0;

struct cell {
  explicit cell(std::size_t own = 0) : number(own) { ++alive; }
  cell(cell&& other) noexcept : number(other.number), calls(other.calls), heard(other.heard) {
    ++alive;
  }
  cell& operator=(cell&&) noexcept = default;
  ~cell() { --alive; }
  void call() { ++calls; }
  [[nodiscard]] std::size_t value() const { return number; }
  [[nodiscard]] acre::rank_t where() const { return acre::rank(); }
  void hear(std::size_t from) { heard += from; }
  void fail_if(std::size_t one) {
    if (number == one) throw std::runtime_error("one has failed");
  }
  void tell_next(const acre::collection_id<cell>& all) {
    acre::invoke_ff(all[(number + 1) % all.size()], &cell::hear, number);
  }
  std::size_t number = 0;
  int calls = 0;
  std::size_t heard = 0;
  friend auto acre_fields(cell& c) { return std::tie(c.number, c.calls, c.heard); }
};

int all_alive() {
  acre::drain();
  return acre::world().allreduce(alive.load());
}

TEST(CollectionSmoke, FindsItsMembersByIndex) {
  constexpr std::size_t extent = 37;
  {
    auto cells = acre::make_collection<cell>(extent, [](std::size_t i) { return i; });
    EXPECT_EQ(cells.size(), extent);
    for (std::size_t i = 0; i < extent; i += 5) {
      EXPECT_EQ(acre::invoke(cells[i], &cell::value).get(), i);
      EXPECT_EQ(cells.index_of(cells[i]), i);
    }
    EXPECT_EQ(all_alive(), int(extent));
    EXPECT_EQ(acre::world().allreduce(cells.local_members().size()), extent);
    EXPECT_THROW(static_cast<void>(cells[extent]), acre::error);
    acre::barrier();
  }
  EXPECT_EQ(all_alive(), 0);
}

TEST(CollectionSmoke, LiesAsItsDistributionSays) {
  const acre::rank_t last = acre::size() - 1;
  auto dealt = acre::make_collection<cell>(10, acre::dist::cyclic, [](std::size_t i) { return i; });
  auto placed = acre::make_collection<cell>(
      10, [=](std::size_t i) { return i % 2 == 0 ? last : 0; }, [](std::size_t i) { return i; });
  for (std::size_t i = 0; i < 10; ++i) {
    EXPECT_EQ(acre::invoke(dealt[i], &cell::where).get(), i % acre::size());
    EXPECT_EQ(acre::invoke(placed[i], &cell::where).get(), i % 2 == 0 ? last : 0);
    EXPECT_EQ(acre::invoke(placed[i], &cell::value).get(), i);
  }
  auto grid = acre::make_collection<cell>({4, 3}, [](const auto& at) { return 3 * at[0] + at[1]; });
  EXPECT_EQ(acre::invoke(grid[{2, 1}], &cell::value).get(), 7);
  EXPECT_EQ(grid.index_of(grid[{2, 1}]), (acre::layout::coordinates<2>{2, 1}));
  EXPECT_EQ(grid.id().index_of(grid[{2, 1}]), (acre::layout::coordinates<2>{2, 1}));
  EXPECT_EQ(grid.id().index_of(dealt[1]), std::nullopt);
  EXPECT_EQ(grid.index_of(dealt[1]), std::nullopt);
  EXPECT_THROW(static_cast<void>(grid[{0, 3}]), acre::error);
  acre::barrier();
}

TEST(Collection, CallsEachMemberOnceWhileTheyMove) {
  constexpr std::size_t extent = 24;
  auto cells = acre::make_collection<cell>(extent, [](std::size_t i) { return i; });
  for (std::size_t round = 0; round < 5; ++round) {
    for (std::size_t i = acre::rank(); i < extent; i += acre::size()) {
      static_cast<void>(
          acre::migrate(cells[i], acre::rank_t(i + std::size_t(round)) % acre::size()));
    }
    acre::invoke_all(cells, &cell::call);
    acre::invoke_all_ff(cells, &cell::call);
    EXPECT_EQ(acre::invoke_reduce(cells, acre::op::sum, &cell::value), extent * (extent - 1) / 2);
  }
  acre::drain();
  const int calls = 5 * (1 + int(acre::size()));
  EXPECT_EQ(acre::invoke_reduce(cells, acre::op::min, &cell::calls), calls);
  EXPECT_EQ(acre::invoke_reduce(cells, acre::op::max, &cell::calls), calls);
}

TEST(Collection, IsKnownToItsMembersByItsId) {
  auto cells = acre::make_collection<cell>(9, [](std::size_t i) { return i; });
  acre::invoke_all(cells, &cell::tell_next, cells.id());
  acre::drain();
  cells.for_each_local([](std::size_t i, cell& c) { EXPECT_EQ(c.heard, (i + 8) % 9); });
  const auto plane = acre::make_collection<cell>({3, 2});
  EXPECT_EQ(acre::invoke_reduce(plane, acre::op::sum, [](const cell&) { return 1; }), 6);
  const auto gone = [] { return acre::make_collection<cell>(2).id(); }();
  EXPECT_THROW(static_cast<void>(gone[0]), acre::error);
  EXPECT_THROW(static_cast<void>(acre::collection_id<cell>()[0]), acre::error);
}

TEST(Collection, SaysWhatFailsInOneOfItsMembers) {
  const auto make = [](std::size_t i) {
    if (i == 3) throw std::runtime_error("no third");
    return i;
  };
  EXPECT_ANY_THROW(static_cast<void>(acre::make_collection<cell>(5, make)));
  EXPECT_EQ(all_alive(), 0);
  auto cells = acre::make_collection<cell>(5, [](std::size_t i) { return i; });
  EXPECT_THROW(acre::invoke_all(cells, &cell::fail_if, std::size_t{4}), acre::error);
  if (acre::rank() == 0) acre::destroy(cells[4]).get();
  acre::barrier();
  EXPECT_EQ(acre::invoke_reduce(cells, acre::op::max, &cell::value), 3);
  EXPECT_THROW(acre::invoke(cells[4], &cell::value).get(), acre::error);
  acre::barrier();
}

TEST(Collection, MovesNothingWhereALoadThrows) {
  auto cells = acre::make_collection<cell>(5, [](std::size_t i) { return i; });
  const auto load = [](const cell& c) {
    if (c.value() == 4) throw std::runtime_error("no load");
    return c.value() == 0 ? 100.0 : 1.0;
  };
  EXPECT_ANY_THROW(static_cast<void>(acre::balance(cells, acre::curve_balancer{}, load)));
  std::size_t here = 0;
  cells.for_each_local([&](std::size_t i, cell&) {
    EXPECT_EQ(cells[i].name().home(), acre::rank());
    ++here;
  });
  EXPECT_EQ(acre::world().allreduce(here, acre::op::sum), 5U);
}

TEST(Collection, TakesTheSlotsThatAnotherHasLeft) {
  acre::gid first;
  for (int i = 0; i < 3; ++i) {
    auto cells = acre::make_collection<cell>(100 * acre::size());
    if (i == 0) first = cells[0].name();
    EXPECT_EQ(cells[0].name().slot(), first.slot());
    EXPECT_EQ(cells[0].name().generation(), first.generation() + 2 * unsigned(i));
    const auto other = acre::create_id_here<cell>();
    EXPECT_NE(other.name().slot(), first.slot());
    acre::destroy(other).get();
  }
  EXPECT_EQ(all_alive(), 0);
}

#if ACRE_COUNTERS
TEST(Collection, CostsNoMessageForAnObject) {
  const auto sent_for = [](std::size_t extent) {
    acre::drain();
    const std::uint64_t before = acre::counters().messages;
    const auto cells = acre::make_collection<cell>(extent, [](std::size_t i) { return i; });
    const std::uint64_t sent = acre::counters().messages - before;
    acre::invoke_all(cells, &cell::call);
    return sent;
  };
  static_cast<void>(sent_for(100 * acre::size()));
  EXPECT_EQ(sent_for(10), sent_for(90 * acre::size()));
}
#endif

TEST(Collection, IsBalancedByTheLoadsOfItsMembers) {
  auto cells = acre::make_collection<cell>(
      8 * acre::size(), [](std::size_t) { return 0U; }, [](std::size_t i) { return i; });
  const auto done = acre::balance(cells, acre::curve_balancer{}, [](const cell&) { return 1.0; });
  EXPECT_EQ(done.before, acre::size());
  EXPECT_EQ(done.after, 1);
  EXPECT_EQ(cells.local_members().size(), 8);
  EXPECT_EQ(cells.local_members()[0].index, 8 * acre::rank());
  static_assert(acre::agas::place_on_curve<2>({3, 1}) == 0b1011);
}

TEST(Collection, GivesReferencesToItsMembers) {
  auto cells = acre::make_collection<cell>(3, [](std::size_t i) { return i; });
  const auto ref = cells.ref(2).get();
  if (acre::rank() == 0) acre::register_name("/cell/2", ref).get();
  const auto found = acre::resolve_when_registered<cell>("/cell/2").get();
  EXPECT_EQ(acre::invoke(found, &cell::value).get(), 2);
  acre::barrier();
  if (acre::rank() == 0) acre::unregister_name("/cell/2").get();
}

TEST(InvokeToSmoke, HandsTheResultToAnotherObject) {
  auto cells = acre::make_collection<cell>(acre::size(), [](std::size_t i) { return i; });
  const auto total = acre::create<cell>((acre::rank() + 1) % acre::size()).get();
  for (std::size_t i = 0; i < cells.size(); ++i) {
    acre::invoke_to(total, &cell::hear, cells[i], &cell::value);
    acre::invoke_to(total.id(), &cell::call, cells[i], &cell::call);
  }
  acre::drain();
  EXPECT_EQ(acre::invoke(total, &cell::heard).get(), acre::size() * (acre::size() - 1) / 2);
  EXPECT_EQ(acre::invoke(total, &cell::calls).get(), int(acre::size()));
  acre::barrier();
}

TEST(InvokeTo, CallsNobodyWhenTheFirstFails) {
  const acre::runtime::failures_held held;
  acre::barrier();
  const auto from = acre::create_here<cell>(std::size_t{7});
  const auto to = acre::create_here<cell>();
  acre::invoke_to(to, &cell::call, from, &cell::fail_if, std::size_t{7});
  acre::drain();
  EXPECT_NE(acre::runtime::pop_lost_failure(), nullptr);
  EXPECT_EQ(acre::invoke(to, &cell::calls).get(), 0);
  acre::barrier();
}

TEST(CollectionOfNothing, IsReducedToTheInitialValue) {
  const auto none = acre::make_collection<cell>(0);
  acre::invoke_all(none, &cell::call);
  EXPECT_EQ(acre::invoke_reduce(none, acre::op::sum, &cell::value), std::size_t{0});
  EXPECT_EQ(acre::invoke_reduce(none, acre::op::min, &cell::calls), 0);
}

}  // namespace
