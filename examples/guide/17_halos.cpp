// SPDX-License-Identifier: BSD-3-Clause
// Game of Life on a torus: a glider crosses the boxes of four ranks and returns to its start.
#include <acre/arrays.hpp>

#include <cstdio>
#include <utility>
#include <vector>

constexpr std::size_t rows = 10, columns = 20;

template <class Field>
void draw(int generation, const Field& field) {
  acre::barrier();  // all members have written their cells
  if (acre::rank() == 0) {
    std::vector<char> all(rows * columns);
    acre::copy(acre::whole(field), acre::box_span<char, 2>(all.data(), {rows, columns}));
    std::printf("generation %d\n", generation);
    for (std::size_t i = 0; i < all.size(); ++i) {
      std::printf("%s%c%s", i % columns == 0 ? "  " : "", all[i] != 0 ? '#' : '.',
                  (i + 1) % columns == 0 ? "\n" : "");
    }
  }
  acre::barrier();
}

int main() {
  const acre::job job;

  // One box of cells per rank, with margins of width 1 for copies of its neighbours' cells.
  acre::halo_matrix<char, 2> now(acre::world(), {rows, columns}, 1);
  acre::halo_matrix<char, 2> next(acre::world(), {rows, columns}, 1);
  acre::halo around_now(now, {.edges = acre::periodic});
  acre::halo around_next(next, {.edges = acre::periodic});

  if (acre::rank() == 0) {
    now(0, 1) = 1, now(1, 2) = 1, now(2, 0) = 1, now(2, 1) = 1, now(2, 2) = 1;
  }
  draw(0, now);

  // The next state of a cell: u(i, j) is the cell at offset (i, j), *u the cell itself.
  const auto rule = [](auto u) -> char {
    const int alive =
        u(-1, -1) + u(-1, 0) + u(-1, 1) + u(0, -1) + u(0, 1) + u(1, -1) + u(1, 0) + u(1, 1);
    return alive == 3 || (alive == 2 && *u != 0);
  };
  for (int generation = 1; generation <= 80; ++generation) {
    // Inner cells are computed while the neighbours' cells arrive.
    acre::stencil_with_update(around_now, next, rule);
    std::swap(now, next);
    std::swap(around_now, around_next);
    if (generation == 36) draw(generation, now);
  }
  draw(80, now);

  // A hand-written loop: (0, 0) is this rank's first cell, and the margins surround its box.
  around_now.update();
  const auto height = static_cast<std::ptrdiff_t>(now.local_box().extents[0]);
  const auto width = static_cast<std::ptrdiff_t>(now.local_box().extents[1]);
  int pairs = 0;
  for (std::ptrdiff_t i = 0; i < height; ++i) {
    for (std::ptrdiff_t j = 0; j < width; ++j) pairs += around_now(i, j) & around_now(i, j + 1);
  }
  pairs = acre::world().allreduce(pairs, acre::op::sum);
  if (acre::rank() == 0) std::printf("%d cells have a living neighbour on their right\n", pairs);
}
