// SPDX-License-Identifier: BSD-3-Clause
#include <acre/array/halo.hpp>
#include <acre/array/stencil.hpp>
#include <acre/base/error.hpp>
#include <acre/base/failure_of_test.hpp>
#include <acre/layout/deduction.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <utility>

namespace {

using acre::base_test::failure_of;
using value = std::int64_t;
using acre::halo_widths;
using acre::layout::coordinates;
using acre::layout::equal_margins;

constexpr value nobody = -1;
constexpr value constant = -7;

template <class Coordinates>
value element(const Coordinates& at, std::size_t step) {
  auto mixed = static_cast<std::uint64_t>(step + 1);
  for (const auto each : at) {
    mixed = acre::mix_bits(mixed ^ static_cast<std::uint64_t>(each));
  }
  return static_cast<value>(mixed >> 8);
}
template <class Coordinates>
value computed_at(const Coordinates& at) {
  return -element(at, 999);
}

enum class kind : unsigned char { untouched, periodic, fixed, computed };

template <std::size_t N>
using edge_kinds = std::array<std::array<kind, 2>, N>;

template <std::size_t N>
acre::halo_edge<value, N> make_edge(kind what) {
  if (what == kind::periodic) return acre::periodic;
  if (what == kind::fixed) return acre::fixed(constant);
  if (what == kind::computed) {
    return acre::computed([](const acre::signed_coordinates<N>& at) { return computed_at(at); });
  }
  return acre::untouched;
}
template <std::size_t N>
acre::halo_edges<value, N> make_edges(const edge_kinds<N>& kinds) {
  const auto pair = [&](std::size_t d) {
    return acre::halo_edge_pair<value, N>(make_edge<N>(kinds[d][0]), make_edge<N>(kinds[d][1]));
  };
  return [&]<std::size_t... D>(std::index_sequence<D...>) {
    return acre::halo_edges<value, N>{pair(D)...};
  }(std::make_index_sequence<N>());
}

class uneven_pace {
 public:
  explicit uneven_pace(unsigned seed) : random_(seed * 7919 + acre::rank()) {}
  void pause() {
    if (random_() % 4 != 0) return;
    for (auto i = random_() % 20000; i > 0; --i) asm volatile("");
  }

 private:
  std::mt19937 random_;
};

template <class Matrix>
void write_own(Matrix& m, std::size_t step) {
  constexpr std::size_t N = Matrix::dimensions;
  const auto mine = m.local();
  for (std::size_t i = 0; i < mine.size(); ++i) {
    const coordinates<N> inside = acre::layout::row_major::at<N>(i, mine.extents());
    coordinates<N> at = inside;
    for (std::size_t d = 0; d < N; ++d) at[d] += m.local_box().first[d];
    mine[inside] = element(at, step);
  }
}

template <std::size_t N>
struct expected_of {
  coordinates<N> extents;
  edge_kinds<N> kinds;
  halo_widths<N> widths;
  acre::halo_corners corners = acre::halo_corners::kept;

  [[nodiscard]] value at(acre::signed_coordinates<N> at, std::size_t step, bool is_kept) const {
    if (!is_kept) return nobody;
    const acre::signed_coordinates<N> said = at;
    for (std::size_t d = 0; d < N; ++d) {
      const auto extent = static_cast<std::ptrdiff_t>(extents[d]);
      if (at[d] >= 0 && at[d] < extent) continue;
      const kind edge = kinds[d][at[d] < 0 ? 0 : 1];
      if (edge == kind::untouched) return nobody;
      if (edge == kind::fixed) return constant;
      if (edge == kind::computed) return computed_at(said);
      at[d] = (at[d] % extent + extent) % extent;
    }
    return element(at, step);
  }
};

template <std::size_t N, class Matrix>
std::size_t wrong_elements(const Matrix& m, const acre::halo<value, N>& h,
                           const expected_of<N>& expected, std::size_t step) {
  std::size_t wrong = 0;
  const auto room = h.local();
  const auto& margin = m.pattern().memory().margins.before;
  const auto& own = m.local_box();
  for (std::size_t i = 0; i < room.size(); ++i) {
    const coordinates<N> inside = acre::layout::row_major::at<N>(i, room.extents());
    acre::signed_coordinates<N> at{};
    std::size_t beside = 0;
    bool is_kept = true;
    for (std::size_t d = 0; d < N; ++d) {
      const auto from_own =
          static_cast<std::ptrdiff_t>(inside[d]) - static_cast<std::ptrdiff_t>(margin[d]);
      const auto behind = from_own - static_cast<std::ptrdiff_t>(own.extents[d]) + 1;
      at[d] = from_own + static_cast<std::ptrdiff_t>(own.first[d]);
      if (from_own < 0 || behind > 0) ++beside;
      if (-from_own > static_cast<std::ptrdiff_t>(h.widths().before[d]) ||
          behind > static_cast<std::ptrdiff_t>(h.widths().after[d])) {
        is_kept = false;
      }
    }
    if (beside > 1 && expected.corners == acre::halo_corners::left_out) is_kept = false;
    const value should = beside == 0 ? element(at, step) : expected.at(at, step, is_kept);
    if (room[inside] != should) ++wrong;
  }
  return wrong;
}

template <std::size_t N, class Pattern>
void expect_halos(const acre::team& team, const Pattern& pattern, const edge_kinds<N>& kinds,
                  acre::halo_corners corners = acre::halo_corners::kept,
                  const halo_widths<N>& widths = {}, std::size_t steps = 3) {
  auto m = acre::make_matrix<value>(team, pattern, nobody);
  acre::halo h(m, {.edges = make_edges<N>(kinds), .corners = corners, .widths = widths});
  const expected_of<N> expected{pattern.extents(), kinds, h.widths(), corners};
  uneven_pace pace(1);
  for (std::size_t step = 0; step < steps; ++step) {
    write_own(m, step);
    pace.pause();
    h.update();
    pace.pause();
    EXPECT_EQ(wrong_elements(m, h, expected, step), 0U) << "in step " << step;
  }
}

template <std::size_t N>
auto boxes(const coordinates<N>& extents, const halo_widths<N>& widths, acre::rank_t members) {
  return acre::with_margins(
      [&]<std::size_t... D>(std::index_sequence<D...>) {
        return acre::make_distribution(extents, members,
                                       (static_cast<void>(D), acre::dist::balanced)...);
      }(std::make_index_sequence<N>()),
      widths);
}

template <std::size_t N>
edge_kinds<N> all_edges(kind what) {
  edge_kinds<N> kinds{};
  for (auto& each : kinds) each = {what, what};
  return kinds;
}

constexpr std::array every_kind{kind::untouched, kind::periodic, kind::fixed, kind::computed};

TEST(HaloSmoke, HasTheNeighboursElementsAfterAnUpdate) {
  acre::halo_matrix<value, 2> m(acre::world(), {12, 9}, 1, nobody);
  acre::halo h(m);
  const expected_of<2> expected{{12, 9}, all_edges<2>(kind::untouched), h.widths()};
  write_own(m, 5);
  h.update();
  EXPECT_EQ(wrong_elements(m, h, expected, 5), 0U);
  if (m.local_box().first[0] > 0) {
    const std::size_t above = m.local_box().first[0] - 1;
    EXPECT_EQ(h(-1, 0), element(coordinates<2>{above, m.local_box().first[1]}, 5));
  }
}

TEST(Halo, KnowsEveryKindOfEdgeInOneToFourDimensions) {
  const acre::rank_t all = acre::size();
  for (const kind edge : every_kind) {
    expect_halos<1>(acre::world(), boxes<1>({23}, equal_margins<1>(2), all), all_edges<1>(edge));
    expect_halos<2>(acre::world(), boxes<2>({13, 8}, equal_margins<2>(1), all), all_edges<2>(edge));
    expect_halos<3>(acre::world(), boxes<3>({7, 6, 5}, equal_margins<3>(1), all),
                    all_edges<3>(edge));
    expect_halos<4>(acre::world(), boxes<4>({4, 3, 5, 4}, equal_margins<4>(1), all),
                    all_edges<4>(edge), acre::halo_corners::kept, {}, 1);
  }
}

TEST(Halo, HasWidthsOfItsOwnOnEachSide) {
  const acre::rank_t all = acre::size();
  const edge_kinds<2> mixed{{{kind::periodic, kind::periodic}, {kind::fixed, kind::computed}}};
  expect_halos<2>(acre::world(), boxes<2>({15, 16}, {{1, 3}, {2, 0}}, all), mixed);
  expect_halos<2>(acre::world(), boxes<2>({15, 16}, {{0, 2}, {3, 0}}, all), mixed);
  expect_halos<2>(acre::world(), boxes<2>({15, 16}, {{2, 0}, {0, 0}}, all), mixed);
  expect_halos<2>(acre::world(), boxes<2>({15, 16}, equal_margins<2>(3), all), mixed,
                  acre::halo_corners::kept, halo_widths<2>{.before = {1, 2}, .after = {3, 0}});
}

TEST(Halo, LeavesCornersOut) {
  const acre::rank_t all = acre::size();
  expect_halos<3>(acre::world(), boxes<3>({8, 7, 6}, equal_margins<3>(1), all),
                  all_edges<3>(kind::periodic), acre::halo_corners::left_out);
  expect_halos<2>(acre::world(), boxes<2>({9, 9}, equal_margins<2>(2), all),
                  all_edges<2>(kind::computed), acre::halo_corners::left_out);
}

TEST(Halo, ReachesThroughMembersThatHaveLessThanItsWidth) {
  const acre::rank_t all = acre::size();
  for (const kind edge : {kind::periodic, kind::fixed}) {
    expect_halos<1>(acre::world(), boxes<1>({5}, equal_margins<1>(4), all), all_edges<1>(edge));
    expect_halos<1>(acre::world(), boxes<1>({3}, equal_margins<1>(3), all), all_edges<1>(edge));
    expect_halos<2>(acre::world(), boxes<2>({4, 3}, equal_margins<2>(3), all), all_edges<2>(edge));
  }
}

TEST(Halo, TakesEveryPatternOfOneBlockAMember) {
  using namespace acre;
  const rank_t all = size();
  const auto edges = all_edges<2>(kind::periodic);
  expect_halos<2>(
      world(), with_margins(make_distribution({9, 7}, all, dist::none, dist::blocked), 2), edges);
  expect_halos<2>(
      world(),
      with_margins(
          make_distribution({9, 7}, all, dist::weighed({9, 1, 1, 1, 1, 1, 1, 1, 9}), dist::none),
          1),
      edges);
  expect_halos<2>(world(), with_margins(make_pattern<layout::column_major_layout>({9, 7}, all), 1),
                  edges);
}

TEST(Halo, LivesOnTeamsToo) {
  const acre::team half =
      acre::world().split(static_cast<int>(acre::rank() % 2), -int(acre::rank()));
  expect_halos<2>(half, boxes<2>({11, 6}, equal_margins<2>(1), half.size()),
                  all_edges<2>(kind::periodic), acre::halo_corners::kept, {}, 20);
}

TEST(Halo, StaysRightThroughHundredsOfUpdatesAtAnyPace) {
  acre::halo_matrix<value, 2> m(acre::world(), {14, 14}, 2, nobody);
  acre::halo_matrix<value, 2> n(acre::world(), {14, 14}, {.before = {1, 0}, .after = {0, 1}},
                                nobody);
  const auto kinds = all_edges<2>(kind::periodic);
  acre::halo of_m(m, {.edges = acre::periodic});
  acre::halo of_n(n, {.edges = acre::periodic});
  const expected_of<2> in_m{{14, 14}, kinds, of_m.widths()};
  const expected_of<2> in_n{{14, 14}, kinds, of_n.widths()};
  uneven_pace pace(2);
  std::size_t wrong = 0;
  for (std::size_t step = 0; step < 300; ++step) {
    write_own(m, step);
    pace.pause();
    if (step % 3 == 0) {
      write_own(n, step);
      acre::update(of_m, of_n);
      wrong += wrong_elements(n, of_n, in_n, step);
    } else if (step % 3 == 1) {
      const acre::halo_update under_way = of_m.update_async();
      pace.pause();
      if (step % 2 == 0) {
        while (!under_way.is_ready()) std::this_thread::yield();
      }
      under_way.wait();
    } else {
      of_m.update();
    }
    wrong += wrong_elements(m, of_m, in_m, step);
  }
  EXPECT_EQ(wrong, 0U);
}

TEST(Halo, BringsMoreThanAMessageCarries) {
  const std::size_t extent = 2600 * std::size_t{acre::size()};
  expect_halos<1>(acre::world(), boxes<1>({extent}, equal_margins<1>(2500), acre::size()),
                  all_edges<1>(kind::periodic), acre::halo_corners::kept, {}, 5);
}

TEST(Halo, UpdatesOneDirectionAtATime) {
  acre::halo_matrix<value, 2> m(acre::world(), {9, 10}, 1, nobody);
  acre::halo h(m, {.edges = acre::periodic});
  const expected_of<2> all{{9, 10}, all_edges<2>(kind::periodic), h.widths()};
  write_own(m, 0);
  h.update();
  for (std::size_t step = 1; step < 20; ++step) {
    acre::barrier();
    write_own(m, step);
    const value corner = m.local().empty() ? 0 : value(h(-1, -1));
    h.update({0, 1});
    if (!m.local().empty()) {
      const auto& own = m.local_box();
      const std::size_t column = (own.first[1] + own.extents[1]) % 10;
      EXPECT_EQ(h(0, own.extents[1]), element(coordinates<2>{own.first[0], column}, step));
      EXPECT_EQ(h(-1, -1), corner);
    }
    for (const auto& direction :
         {std::array{-1, -1}, {-1, 0}, {-1, 1}, {0, -1}, {1, -1}, {1, 0}, {1, 1}}) {
      h.update(direction);
    }
    EXPECT_EQ(wrong_elements(m, h, all, step), 0U);
  }
}

TEST(Halo, InnerElementsMayChangeWhileAnUpdateIsUnderWay) {
  acre::halo_matrix<value, 2> m(acre::world(), {20, 20}, 1, nobody);
  acre::halo h(m);
  const expected_of<2> expected{{20, 20}, all_edges<2>(kind::untouched), h.widths()};
  for (std::size_t step = 0; step < 30; ++step) {
    write_own(m, step);
    const acre::halo_update under_way = h.update_async();
    const auto inner = h.inner();
    for (std::size_t i = 0; i < inner.size(); ++i) {
      const auto at = acre::layout::row_major::at<2>(i, inner.extents);
      m.local()(at[0] + inner.first[0] - h.own().first[0],
                at[1] + inner.first[1] - h.own().first[1]) = nobody;
    }
    under_way.wait();
    for (std::size_t i = 0; i < inner.size(); ++i) {
      const auto at = acre::layout::row_major::at<2>(i, inner.extents);
      const coordinates<2> there{at[0] + inner.first[0], at[1] + inner.first[1]};
      m.local()(there[0] - h.own().first[0], there[1] - h.own().first[1]) = element(there, step);
    }
    EXPECT_EQ(wrong_elements(m, h, expected, step), 0U);
  }
}

TEST(Halo, InnerAndBoundaryAreTheOwnElements) {
  for (const std::size_t width : {1U, 2U, 3U}) {
    acre::halo_matrix<value, 3> m(acre::world(), {9, 6, 5}, width);
    acre::halo h(m, {.edges = {acre::periodic, acre::untouched, acre::fixed(1)}});
    std::size_t number = h.inner().size();
    for (const auto& part : h.boundary()) {
      number += part.size();
      EXPECT_TRUE(h.own().contains(part));
      EXPECT_TRUE(intersection(part, h.inner()).empty());
      for (const auto& other : h.boundary()) {
        if (part != other) {
          EXPECT_TRUE(intersection(part, other).empty());
        }
      }
    }
    EXPECT_EQ(number, h.own().size());
  }
}

TEST(Halo, OfOneMemberOrOfNobodyIsNothingSpecial) {
  const acre::team alone = acre::world().split(static_cast<int>(acre::rank()));
  expect_halos<1>(alone, boxes<1>({1}, equal_margins<1>(1), 1), all_edges<1>(kind::periodic));
  expect_halos<3>(alone, boxes<3>({2, 1, 3}, {{2, 1, 3}, {1, 1, 2}}, 1),
                  all_edges<3>(kind::periodic));
}

TEST(Halo, WritesEdgesAgainWhenAsked) {
  acre::halo_matrix<double, 1> m(acre::world(), {40}, 1);
  double now = 1;
  acre::halo h(m, {.edges = acre::computed([&](const auto&) { return now; })});
  now = 2;
  m.fill(5);
  const auto behind = static_cast<std::ptrdiff_t>(h.own().extents[0]);
  if (h.own().first[0] == 0 && !h.own().empty()) {
    EXPECT_EQ(h(-1), 1);
  }
  h.write_edges();
  h.update();
  if (!h.own().empty()) {
    EXPECT_EQ(h(-1), h.own().first[0] == 0 ? 2 : 5);
    EXPECT_EQ(h(behind), h.own().first[0] + h.own().extents[0] == 40 ? 2 : 5);
  }
}

TEST(Halo, OfAMatrixLeavesItsElementsToAlgorithms) {
  acre::halo_matrix<value, 2> m(acre::world(), {9, 8}, 2, nobody);
  m.fill(3);
  for (std::size_t i = acre::rank(); i < 9; i += acre::size()) m(i, 7) = 4;
  acre::barrier();
  value sum = 0;
  for (const value each : m) sum += each;
  EXPECT_EQ(sum, 9 * (7 * 3 + 4));
  std::size_t own = 0;
  m.each_local_block([&](const acre::layout::box<2>& where, acre::box_span<value, 2> block) {
    own += where.size();
    EXPECT_EQ(block.data(), m.local().data());
    EXPECT_EQ(block.strides(), m.local().strides());
  });
  EXPECT_EQ(acre::world().allreduce(own), 72U);
  EXPECT_EQ(m.local().size(), own);
  const acre::halo h(m);
  if (own != 0) {
    EXPECT_EQ(h(-1, -2), nobody);
  }
}

template <class F>
void expect_problem(F&& f, const std::string& problem) {
  try {
    f();
    FAIL() << "no exception was thrown";
  } catch (const acre::error& failed) {
    EXPECT_NE(failed.problem().find(problem), std::string::npos) << failed.problem();
    EXPECT_FALSE(failed.advice().empty());
  }
}

TEST(Halo, RefusesWidthsThatMakeNoSense) {
  using namespace acre;
  expect_problem(
      [] { halo_matrix<int, 2>(world(), {8, 8}, halo_widths<2>{{1, std::size_t(-1)}, {}}); },
      "width -1 in dimension 1");
  expect_problem([] { halo_matrix<int, 2>(world(), {8, 8}, 9); }, "width 9 in dimension 0");
  halo_matrix<int, 2> m(world(), {8, 8}, 1);
  expect_problem([&] { halo(m, {.widths = equal_margins<2>(2)}); },
                 "width 2 in dimension 0 exceeds the matrix's margin of 1");
  expect_problem([&] { halo(m, {.edges = {periodic, untouched, periodic}}); },
                 "edges for 3 dimensions do not match the dimensions of the halo, 2");
  barrier();
}

TEST(Halo, TellsNeighboursOfAMemberThatLeaves) {
  if (acre::size() == 1) GTEST_SKIP() << "one has no neighbours";
  const acre::team all = acre::world().split(0);
  try {
    acre::halo_matrix<value, 1> m(all, {64}, 1);
    acre::halo h(m, {.edges = acre::periodic});
    for (int step = 0; step < 10; ++step) {
      if (step == 5 && all.rank() == 0) throw step;
      h.update();
    }
    FAIL() << "no member has left";
  } catch (const int step) {
    EXPECT_EQ(step, 5);
  } catch (const acre::error& left) {
    EXPECT_NE(left.problem().find("has left the halo"), std::string::npos) << left.problem();
  }
  acre::barrier();
}

TEST(Halo, WhoseMatrixHasEndedIsRefused) {
  const std::string ended =
      "does not exist any more: it was destroyed, or another one was assigned to it";
  acre::halo_matrix<int, 2> out(acre::world(), {8, 8}, 1);
  acre::halo_matrix<int, 2> kept(acre::world(), {8, 8}, 1, 1);
  std::optional<acre::halo<int, 2>> h;
  {
    acre::halo_matrix<int, 2> m(acre::world(), {8, 8}, 1, 1);
    h.emplace(m, acre::halo<int, 2>::options{.edges = acre::periodic});
    auto moved = std::move(m);
    h->update();
    acre::halo_matrix<int, 2> other(acre::world(), {8, 8}, 1);
    std::swap(moved, other);
    h->update();
  }
  for (const auto& call : std::initializer_list<std::function<void()>>{
           [&] { h->update(); }, [&] { h->update({0, 1}); }, [&] { h->write_edges(); },
           [&] { static_cast<void>(h->update_async()); },
           [&] { acre::stencil(*h, out, [](auto u) { return *u; }); },
           [&] { acre::stencil_with_update(*h, out, [](auto u) { return *u; }); }}) {
    EXPECT_NE(failure_of(call).find(ended), std::string::npos) << failure_of(call);
  }
  std::optional<acre::halo_update> update;
  {
    acre::halo short_lived(kept, {.edges = acre::periodic});
    update = short_lived.update_async();
    update->wait();
    EXPECT_TRUE(update->is_ready());
  }
  EXPECT_NE(
      failure_of([&] { update->wait(); }).find("the halo of this update does not exist any more"),
      std::string::npos);
  h.emplace(kept);
  kept = acre::halo_matrix<int, 2>(acre::world(), {8, 8}, 1, 2);
  EXPECT_NE(failure_of([&] { h->update(); }).find(ended), std::string::npos);
}

TEST(Halo, DirectionsAreThoseOfNeighbours) {
  acre::halo_matrix<int, 2> m(acre::world(), {8, 8}, 1);
  acre::halo h(m, {.edges = acre::periodic});
  for (const auto& direction : {std::array{2, 0}, {0, -2}, {0, 0}}) {
    EXPECT_NE(failure_of([&] { h.update(direction); }).find("} is invalid"), std::string::npos);
  }
  h.update({-1, 1});
  acre::halo moved(std::move(h));
  EXPECT_NE(failure_of([&] { h.update(); }).find("halo{matrix}"), std::string::npos);
}

TEST(Halo, MatricesAreExchangedWithTheirHalos) {
  acre::halo_matrix<int, 2> a(acre::world(), {8, 8}, 1, 1);
  acre::halo_matrix<int, 2> b(acre::world(), {8, 8}, 1, 5);
  acre::halo of_a(a);
  acre::halo of_b(b);
  const auto take = [](auto u) { return *u; };
  std::swap(a, b);
  if (!a.local_box().empty()) {
    EXPECT_NE(failure_of([&] { acre::stencil(of_a, b, take); }).find("and their halos"),
              std::string::npos);
  }
  std::swap(of_a, of_b);
  acre::stencil(of_a, b, take);
  acre::barrier();
  for (const int each : b) EXPECT_EQ(each, 5);
  acre::barrier();
}

}  // namespace
