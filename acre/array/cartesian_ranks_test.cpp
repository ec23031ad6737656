// SPDX-License-Identifier: BSD-3-Clause
// Matrices on grid teams: the neighbours of a box belong to the neighbours in the grid.
#include <acre/array/halo.hpp>
#include <acre/array/matrix.hpp>
#include <acre/array/stencil.hpp>
#include <acre/global/team/team.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <vector>

namespace {

using acre::rank_t;
using acre::team;

/// All grids of `members` with N dimensions.
template <std::size_t N>
std::vector<std::array<rank_t, N>> grids_of(rank_t members) {
  std::vector<std::array<rank_t, N>> all;
  for (rank_t first = 1; first <= members; ++first) {
    if (members % first != 0) continue;
    if constexpr (N == 1) {
      if (first == members) all.push_back({first});
    } else {
      for (const auto& rest : grids_of<N - 1>(members / first)) {
        std::array<rank_t, N> grid{first};
        std::ranges::copy(rest, grid.begin() + 1);
        all.push_back(grid);
      }
    }
  }
  return all;
}

template <std::size_t N>
acre::layout::coordinates<N> three_elements_more_than(const std::array<rank_t, N>& grid) {
  acre::layout::coordinates<N> extents;
  for (std::size_t d = 0; d < N; ++d) extents[d] = 4 * grid[d] + 3;
  return extents;
}

/// The member beyond each face of this member's box, as the matrix and as the grid has it.
template <std::size_t N, class Matrix>
void expect_neighbours_of_grid(const Matrix& m, const team& grid) {
  const auto box = m.local_box();
  const std::vector<rank_t> here = grid.coordinates(grid.rank());
  for (std::size_t d = 0; d < N; ++d) {
    for (const int way : {-1, 1}) {
      const bool exists = way < 0 ? here[d] > 0 : here[d] + 1 < grid.extents()[d];
      auto at = box.first;
      at[d] = way < 0 ? box.first[d] - 1 : box.first[d] + box.extents[d];
      ASSERT_EQ(exists, at[d] < m.extent(d));
      if (!exists) continue;
      std::vector<rank_t> there = here;
      there[d] += static_cast<rank_t>(way);
      rank_t number = 0;
      for (std::size_t e = 0; e < N; ++e) number = number * grid.extents()[e] + there[e];
      EXPECT_EQ(m.owner(at), grid[number]);
    }
  }
}

template <std::size_t N>
void expect_boxes_on_all_grids() {
  for (const auto& shape : grids_of<N>(acre::size())) {
    const team grid = team::cartesian({shape.begin(), shape.end()});
    const auto extents = three_elements_more_than<N>(shape);
    const acre::matrix<int, N> plain(grid, extents);
    const acre::halo_matrix<int, N> bordered(grid, extents, 1);
    expect_neighbours_of_grid<N>(plain, grid);
    expect_neighbours_of_grid<N>(bordered, grid);
  }
}

TEST(CartesianMatrix, HasTheNeighboursOfItsGrid) {
  expect_boxes_on_all_grids<1>();
  expect_boxes_on_all_grids<2>();
  expect_boxes_on_all_grids<3>();
}

/// Margins have the values of the neighbours in the grid.
TEST(CartesianMatrix, ExchangesWithTheNeighboursOfItsGrid) {
  for (const auto& shape : grids_of<2>(acre::size())) {
    const team grid = team::cartesian({shape.begin(), shape.end()});
    acre::halo_matrix<rank_t, 2> own(grid, three_elements_more_than<2>(shape), 1, grid.rank());
    acre::halo around(own);
    around.update();
    const auto here = grid.coordinates(grid.rank());
    const std::size_t middle = own.local_box().extents[1] / 2;
    acre::matrix<rank_t, 2> above(grid, own.extents());
    acre::stencil(around, above, [&](const auto& u) { return u(-1, 0); });
    if (here[0] == 0) continue;
    EXPECT_EQ(above.local()(0, middle), grid.at({here[0] - 1, here[1]}).number());
  }
}

TEST(CartesianMatrix, OfOtherDimensionsHasAGridOfItsOwn) {
  const team grid = team::cartesian({acre::size(), 1});
  const acre::matrix<int, 3> m(grid, {8, 8, 8});
  EXPECT_EQ(m.pattern().members(), acre::size());
  EXPECT_EQ(grid.spec<3>().parts, (acre::layout::coordinates<3>{0, 0, 0}));
}

}  // namespace
