// SPDX-License-Identifier: BSD-3-Clause
#include <acre/global/memory/symmetric_room_test.hpp>
#include <acre/global/memory/wait_until.hpp>
#include <acre/global/team/team.hpp>
#include <acre/global/transfer/detail/runs_there.hpp>
#include <acre/global/transfer/strided.hpp>
#include <acre/global/transfer/strided_async.hpp>
#include <acre/runtime/counters.hpp>
#include <acre/runtime/remote.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <random>
#include <thread>
#include <vector>

namespace {

using acre::everywhere;
using acre::next_rank;

using extents = std::array<std::size_t, 3>;
using strides = std::array<std::ptrdiff_t, 3>;

struct cube {
  extents sides;

  [[nodiscard]] std::size_t size() const { return sides[0] * sides[1] * sides[2]; }
  [[nodiscard]] strides steps() const {
    return {static_cast<std::ptrdiff_t>(sides[1] * sides[2]), static_cast<std::ptrdiff_t>(sides[2]),
            1};
  }
};

[[nodiscard]] bool is_in(const extents& at, const extents& part) {
  return at[0] < part[0] && at[1] < part[1] && at[2] < part[2];
}

template <class F>
void each(const cube& all, const extents& part, F&& f) {
  std::size_t number = 0;
  for (std::size_t i = 0; i < all.sides[0]; ++i) {
    for (std::size_t j = 0; j < all.sides[1]; ++j) {
      for (std::size_t k = 0; k < all.sides[2]; ++k) f(number++, is_in({i, j, k}, part));
    }
  }
}

struct moved {
  cube there;
  cube here;
  extents part;
};

void expect_moves(const moved& what) {
  const everywhere<unsigned char> array(what.there.size());
  std::vector<unsigned char> source(what.here.size());
  std::mt19937 random(acre::rank());
  for (auto& byte : source) byte = static_cast<unsigned char>(1 + random() % 255);
  acre::put_strided(array.on(next_rank()), what.part, what.there.steps(), source.data(),
                    what.here.steps());
  std::vector<unsigned char> back(what.here.size());
  acre::get_strided(array.on(next_rank()), what.part, what.there.steps(), back.data(),
                    what.here.steps());
  std::size_t wrong = 0;
  each(what.here, what.part, [&](std::size_t i, bool is_part) {
    if (back[i] != (is_part ? source[i] : 0)) ++wrong;
  });
  acre::barrier();
  std::size_t outside = 0;
  each(what.there, what.part, [&](std::size_t i, bool is_part) {
    if (!is_part && array.here()[i] != 0) ++outside;
  });
  EXPECT_EQ(wrong, 0U);
  EXPECT_EQ(outside, 0U);
}

TEST(BoxMoves, CarryBoxesOfAnySizeAndAnyGaps) {
  expect_moves({.there = {{5, 7, 40}}, .here = {{4, 9, 20}}, .part = {4, 6, 13}});
  expect_moves({.there = {{40, 70, 40}}, .here = {{37, 61, 33}}, .part = {37, 61, 31}});
  expect_moves({.there = {{70, 70, 65}}, .here = {{64, 64, 64}}, .part = {64, 64, 64}});
  expect_moves({.there = {{67, 131, 79}}, .here = {{67, 127, 90}}, .part = {67, 127, 77}});
  expect_moves({.there = {{9, 20, 4001}}, .here = {{9, 20, 3907}}, .part = {9, 17, 3907}});
  expect_moves({.there = {{3, 20, 8001}}, .here = {{3, 20, 7999}}, .part = {3, 17, 7999}});
  expect_moves({.there = {{300, 500, 2}}, .here = {{300, 499, 3}}, .part = {300, 499, 1}});
}

TEST(BoxMoves, AreAPutOrAGetAndAMessageForAStageOfShortRuns) {
  if (acre::size() == 1) return;
  constexpr extents part{64, 64, 64};
  const cube there{{64, 64, 128}};
  const cube here{part};
  const everywhere<unsigned char> array(there.size());
  std::vector<unsigned char> memory(here.size());
  const auto target = array.on(next_rank());
  const auto put = [&] {
    acre::put_strided(target, part, there.steps(), memory.data(), here.steps());
  };
  const auto get = [&] {
    acre::get_strided(target, part, there.steps(), memory.data(), here.steps());
  };
  put();
  acre::barrier();
  const auto before = acre::counters();
  put();
  const auto between = acre::counters();
  acre::barrier();
  get();
  acre::barrier();
  const auto after = acre::counters();
  if (!target.is_local() && acre::size() == 2 &&
      acre::runtime::may_put_ahead(acre::global::stage_bytes)) {
    EXPECT_EQ((between - before).writes, 1U);
    EXPECT_LE((between - before).messages, 3U);
    EXPECT_EQ((after - between).reads, 0U);
    EXPECT_LE((after - between).writes, 1U);
  }
}

TEST(BoxMoves, ManyAreUnderWayAtOnceOfManyThreads) {
  constexpr std::size_t threads = 3;
  constexpr std::size_t boxes = 8;
  constexpr extents part{60, 64, 40};
  const cube there{{60, 64, 48}};
  const cube here{part};
  const everywhere<unsigned char> array(threads * boxes * there.size());
  const auto work = [&](std::size_t thread) {
    std::vector<unsigned char> from(boxes * here.size(), static_cast<unsigned char>(thread + 1));
    std::vector<unsigned char> to(boxes * here.size());
    const auto on = [&](acre::rank_t rank, std::size_t box) {
      return array.on(rank) + static_cast<std::ptrdiff_t>((thread * boxes + box) * there.size());
    };
    for (std::size_t box = 0; box < boxes; ++box) {
      acre::put_strided_nbi(on(next_rank(), box), part, there.steps(),
                            from.data() + box * here.size(), here.steps());
    }
    acre::quiet();
    for (std::size_t box = 0; box < boxes; ++box) {
      acre::get_strided_nbi(on(next_rank(), box), part, there.steps(),
                            to.data() + box * here.size(), here.steps());
    }
    acre::quiet();
    EXPECT_EQ(to, from);
  };
  std::vector<std::thread> others;
  for (std::size_t thread = 1; thread < threads; ++thread) others.emplace_back(work, thread);
  work(0);
  for (std::thread& each : others) each.join();
}

TEST(BoxMoves, AllRanksReadFromAndWriteToOne) {
  constexpr std::size_t boxes = 16;
  constexpr extents part{64, 64, 20};
  const cube there{{64, 64, 24}};
  const cube here{part};
  const everywhere<unsigned char> array(boxes * there.size());
  if (acre::rank() == 0) std::fill_n(array.here(), boxes * there.size(), 7);
  acre::barrier();
  std::vector<unsigned char> to(boxes * here.size());
  for (std::size_t box = 0; box < boxes; ++box) {
    acre::get_strided_nbi(array.on(0) + static_cast<std::ptrdiff_t>(box * there.size()), part,
                          there.steps(), to.data() + box * here.size(), here.steps());
  }
  acre::quiet();
  EXPECT_EQ(to, std::vector<unsigned char>(to.size(), 7));
  acre::barrier();
  const std::vector<unsigned char> from(here.size(), 9);
  for (std::size_t box = acre::rank(); box < boxes; box += acre::size()) {
    acre::put_strided_nbi(array.on(0) + static_cast<std::ptrdiff_t>(box * there.size()), part,
                          there.steps(), from.data(), here.steps());
  }
  acre::barrier();
  if (acre::rank() != 0) return;
  std::size_t written = 0;
  for (std::size_t i = 0; i < boxes * there.size(); ++i) written += array.here()[i] == 9 ? 1 : 0;
  EXPECT_EQ(written, boxes * here.size());
}

TEST(BoxMoves, LandAtOnceWhereTheyBelongInDenseMemoryOfTheSegment) {
  constexpr std::size_t runs = 5200;
  constexpr std::size_t bytes = 2000;
  const everywhere<unsigned char> from(runs * (bytes + 1));
  const everywhere<unsigned char> to(runs * bytes + 1);
  const auto row = [](std::size_t i) { return static_cast<unsigned char>(1 + i % 251); };
  for (std::size_t i = 0; acre::rank() == 0 && i < runs; ++i) {
    std::fill_n(&from.here()[i * (bytes + 1)], bytes, row(i));
  }
  acre::barrier();
  acre::get_strided(from.on(0), std::array{runs, bytes},
                    std::array<std::ptrdiff_t, 2>{bytes + 1, 1}, &to.here()[0],
                    std::array<std::ptrdiff_t, 2>{bytes, 1});
  std::size_t wrong = to.here()[runs * bytes] == 0 ? 0 : 1;
  for (std::size_t i = 0; i < runs; ++i) {
    const std::vector<unsigned char> expected(bytes, row(i));
    wrong += std::equal(expected.begin(), expected.end(), &to.here()[i * bytes]) ? 0 : 1;
  }
  EXPECT_EQ(wrong, 0U);
  acre::barrier();
}

TEST(BoxMoves, TellTheirEndsWhenAllPiecesAreThere) {
  for (const std::size_t depth : {std::size_t{9}, std::size_t{70}, std::size_t{400}}) {
    const extents part{depth, 64, 61};
    const cube there{{depth, 64, 64}};
    const cube here{{depth, 64, 63}};
    const everywhere<unsigned char> array(there.size());
    const auto target = array.on(next_rank());
    const std::vector<unsigned char> source(here.size(), static_cast<unsigned char>(depth));
    acre::put_strided_async(target, part, there.steps(), source.data(), here.steps()).wait();
    std::vector<unsigned char> back(here.size());
    int told = 0;
    acre::get_strided_async(target, part, there.steps(), back.data(), here.steps(),
                            acre::on_operation([&] { ++told; }),
                            acre::on_operation(acre::as_future))
        .wait();
    EXPECT_EQ(std::ranges::count(back, source[0]),
              static_cast<std::ptrdiff_t>(part[0] * part[1] * part[2]));
    EXPECT_EQ(told, 1);
    acre::quiet();
    EXPECT_EQ(told, 1);
  }
}

std::atomic<std::ptrdiff_t> bytes_found{-1};

TEST(BoxMoves, AreInTheirPlacesWhenTheCallAfterThemRuns) {
  constexpr extents part{70, 64, 61};
  const cube there{{70, 64, 64}};
  const cube here{{70, 64, 63}};
  const everywhere<unsigned char> array(there.size());
  const std::vector<unsigned char> source(here.size(), 9);
  bytes_found = -1;
  acre::barrier();
  acre::put_strided_async(array.on(next_rank()), part, there.steps(), source.data(), here.steps(),
                          acre::on_operation(acre::as_future),
                          acre::then_at_target(
                              [](acre::global_ptr<unsigned char> first, std::size_t bytes) {
                                const unsigned char* const found = first.local();
                                bytes_found = std::count(found, found + bytes, 9);
                              },
                              array.on(next_rank()), there.size()))
      .wait();
  acre::wait_until([] { return bytes_found >= 0; });
  EXPECT_EQ(bytes_found, 70 * 64 * 61);
}

TEST(BoxMoves, WhoseEndsAreToldArePackedAsWell) {
  if (acre::size() != 2) return;
  constexpr extents part{64, 64, 64};
  const cube there{{64, 64, 128}};
  const everywhere<unsigned char> array(there.size());
  std::vector<unsigned char> memory(cube{part}.size());
  const auto target = array.on(next_rank());
  const auto put = [&] {
    acre::put_strided_async(target, part, there.steps(), memory.data(), cube{part}.steps()).wait();
  };
  put();
  acre::barrier();
  const auto before = acre::counters();
  put();
  acre::get_strided_async(target, part, there.steps(), memory.data(), cube{part}.steps()).wait();
  const auto moved = acre::counters() - before;
  if (target.is_local()) return;
  EXPECT_EQ(moved.reads, 0U);
  EXPECT_LE(moved.writes, acre::runtime::may_put_ahead(acre::global::stage_bytes) ? 2U : 0U);
}

}  // namespace
