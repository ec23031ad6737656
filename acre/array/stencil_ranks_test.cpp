// SPDX-License-Identifier: BSD-3-Clause
#include <acre/array/halo.hpp>
#include <acre/array/stencil.hpp>
#include <acre/base/checks.hpp>
#include <acre/base/error.hpp>
#include <acre/layout/deduction.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

namespace {

using acre::layout::coordinates;
using values = std::vector<long>;

long around(const values& all, const coordinates<2>& extents, std::size_t i, std::size_t j) {
  const auto at = [&](std::size_t down, std::size_t right) {
    return all[(i + down) % extents[0] * extents[1] + (j + right) % extents[1]];
  };
  const std::size_t up = extents[0] - 1;
  const std::size_t left = extents[1] - 1;
  return at(0, 0) + 2 * at(up, 0) - at(1, 0) + 3 * at(0, left) - at(0, 2) + at(up, left);
}
constexpr auto same_around = [](auto u) {
  return *u + 2 * u(-1, 0) - u(1, 0) + 3 * u(0, -1) - u(0, 2) + u(-1, -1);
};

values whole_of(const auto& m) {
  values all(m.begin(), m.end());
  m.members().barrier();
  return all;
}

template <class Pattern>
void expect_steps(const coordinates<2>& extents, const Pattern& pattern) {
  auto a = acre::make_matrix<long>(acre::world(), pattern);
  auto b = acre::make_matrix<long>(acre::world(), pattern);
  const acre::halo_options<long, 2> periodic{.edges = acre::periodic};
  acre::halo of_a(a, periodic);
  acre::halo of_b(b, periodic);
  values model(a.size());
  for (std::size_t i = 0; i < model.size(); ++i) model[i] = static_cast<long>(i * i % 23);
  acre::stencil(of_b, a, [&](auto u) { return model[u.where()[0] * extents[1] + u.where()[1]]; });
  for (int step = 0; step < 6; ++step) {
    if (step % 2 == 0) {
      of_a.update();
      acre::stencil(of_a, b, same_around);
    } else {
      acre::stencil_with_update(of_b, a, same_around);
    }
    values next(model.size());
    for (std::size_t i = 0; i < next.size(); ++i) {
      next[i] = around(model, extents, i / extents[1], i % extents[1]) % 1000;
    }
    auto& written = step % 2 == 0 ? b : a;
    for (std::size_t i = 0; i < written.local().extent(0); ++i) {
      for (std::size_t j = 0; j < written.local().extent(1); ++j) written.local()(i, j) %= 1000;
    }
    acre::barrier();
    EXPECT_EQ(whole_of(written), next);
    model = next;
  }
}

TEST(Stencil, MakesOfEachElementWhatItsNeighboursSay) {
  const coordinates<2> extents{13, 11};
  const acre::halo_widths<2> widths{.before = {1, 1}, .after = {1, 2}};
  const acre::rank_t all = acre::size();
  expect_steps(extents,
               acre::with_margins(acre::make_distribution(extents, all, acre::dist::balanced,
                                                          acre::dist::balanced),
                                  widths));
  expect_steps(extents,
               acre::with_margins(
                   acre::make_pattern<acre::layout::column_major_layout>(extents, all), widths));
}

TEST(Stencil, WorksInOneThreeAndFourDimensions) {
  acre::halo_matrix<long, 1> line(acre::world(), {31}, 1, 1);
  acre::halo_matrix<long, 1> line_sums(acre::world(), {31}, 1);
  acre::halo of_line(line, {.edges = acre::fixed(0)});
  acre::stencil_with_update(of_line, line_sums, [](auto u) { return u(-1) + u(1); });
  acre::halo_matrix<int, 3> cube(acre::world(), {5, 6, 7}, 1, 1);
  acre::matrix<long, 3> cube_sums(acre::world(), {5, 6, 7});
  acre::halo of_cube(cube, {.edges = acre::fixed(0)});
  acre::stencil_with_update(of_cube, cube_sums, [](auto u) {
    return u(-1, 0, 0) + u(1, 0, 0) + u(0, -1, 0) + u(0, 1, 0) + u(0, 0, -1) + u(0, 0, 1);
  });
  acre::halo_matrix<int, 4> four(acre::world(), {3, 4, 3, 4}, 1, 1);
  acre::matrix<int, 4> four_sums(acre::world(), {3, 4, 3, 4});
  acre::halo of_four(four, {.edges = acre::periodic});
  acre::stencil_with_update(of_four, four_sums,
                            [](auto u) { return u(1, 1, 1, 1) + u(-1, 0, 0, -1) + *u; });
  acre::barrier();
  EXPECT_EQ(line_sums.at({0}), 1);
  EXPECT_EQ(line_sums.at({15}), 2);
  EXPECT_EQ(cube_sums.at({0, 0, 0}), 3);
  EXPECT_EQ(cube_sums.at({4, 3, 6}), 4);
  EXPECT_EQ(cube_sums.at({2, 3, 3}), 6);
  EXPECT_EQ(four_sums.at({2, 3, 2, 3}), 3);
  EXPECT_EQ(four_sums.at({0, 0, 1, 0}), 3);
  acre::barrier();
}

TEST(Stencil, ChangesElementsOfAPart) {
  acre::halo_matrix<long, 1> line(acre::world(), {31}, 1, 1);
  acre::matrix<long, 1> sums(acre::world(), {31}, 5);
  acre::halo of_line(line);
  for (int step = 0; step < 2; ++step) {
    acre::stencil_with_update(of_line, sums, {.first = {1}, .extents = {29}},
                              [](const auto& u, long& sum) { sum += u(-1) + 2 * u(1); });
  }
  acre::barrier();
  EXPECT_EQ(sums.at({0}), 5);
  for (std::size_t i = 1; i < 30; ++i) EXPECT_EQ(sums.at({i}), 11);
  EXPECT_EQ(sums.at({30}), 5);
  acre::barrier();
}

TEST(Stencil, ReachesNoFurtherThanTheHalo) {
  if (!acre::base::has_checks) GTEST_SKIP() << "in checked builds";
  acre::halo_matrix<int, 1> m(acre::world(), {20}, 3);
  acre::matrix<int, 1> other(acre::world(), {20});
  acre::halo h(m, {.widths = acre::halo_widths<1>{.before = {1}, .after = {2}}});
  if (!m.local().empty()) {
    for (const int away : {-1, 2}) acre::stencil(h, other, [away](auto u) { return u(away); });
    for (const int away : {-2, 3}) {
      try {
        acre::stencil(h, other, [away](auto u) { return u(away); });
        ADD_FAILURE() << "no error";
      } catch (const acre::error& failed) {
        EXPECT_NE(failed.problem().find("(" + std::to_string(away) + ")"), std::string::npos)
            << failed.problem();
        EXPECT_NE(failed.problem().find("stencil_ranks_test.cpp:"), std::string::npos)
            << failed.problem();
      }
    }
  }
  acre::barrier();
}

TEST(Stencil, ReadsNoCornersThatAreLeftOut) {
  if (!acre::base::has_checks) GTEST_SKIP() << "in checked builds";
  acre::halo_matrix<int, 2> m(acre::world(), {20, 20}, 2);
  acre::matrix<int, 2> other(acre::world(), {20, 20});
  acre::halo star(
      m, {.corners = acre::halo_corners::left_out, .widths = {.before = {2, 1}, .after = {2, 1}}});
  if (!m.local().empty()) {
    const auto read = [&](int i, int j) {
      acre::stencil(star, other, [=](auto u) { return u(i, j); });
    };
    read(0, 0);
    read(-2, 0);
    read(0, 1);
    try {
      read(1, -1);
      ADD_FAILURE() << "no error";
    } catch (const acre::error& failed) {
      EXPECT_NE(failed.problem().find("(1, -1) may be in a corner"), std::string::npos)
          << failed.problem();
      EXPECT_NE(failed.advice().find("halo_corners::kept"), std::string::npos);
    }
  }
  acre::barrier();
}

TEST(Stencil, RefusesToWriteWhereItReadsOrElsewhere) {
  acre::halo_matrix<int, 1> m(acre::world(), {20}, 1);
  acre::halo_matrix<int, 1> other(acre::world(), {30}, 1);
  acre::halo h(m);
  const auto same = [](auto u) { return *u; };
  if (!m.local().empty()) {
    EXPECT_THROW(acre::stencil(h, m, same), acre::error);
    EXPECT_THROW(acre::stencil(h, other, same), acre::error);
  }
  acre::barrier();
}

TEST(Stencil, RefusesAMatrixOfAnotherMemoryOrder) {
  const coordinates<2> extents{13, 11};
  acre::halo_matrix<int, 2> by_rows(acre::world(), extents, 1);
  auto by_columns = acre::make_matrix<int>(
      acre::world(), acre::make_pattern<acre::layout::column_major_layout>(extents, acre::size()));
  acre::halo h(by_rows);
  const bool is_cut_alike = by_rows.local_box() == by_columns.local_box();
  const auto own = by_rows.local().extents();
  if (acre::size() == 1) EXPECT_TRUE(is_cut_alike);
  if (is_cut_alike && own[0] > 1 && own[1] > 1) {
    try {
      acre::stencil(h, by_columns, [](auto u) { return *u; });
      ADD_FAILURE() << "no error";
    } catch (const acre::error& failed) {
      EXPECT_NE(failed.problem().find("column-major"), std::string::npos) << failed.problem();
    }
  }
  acre::barrier();
}

}  // namespace
