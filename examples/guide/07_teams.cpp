// SPDX-License-Identifier: BSD-3-Clause
// PageRank on a grid of ranks: rank (r, c) holds the links from block c to block r of the pages.
#include <acre/acre.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

constexpr unsigned pages = 72;
constexpr unsigned links = 3;  // per page
unsigned linked(unsigned page, unsigned i) {
  return (i == 0 ? page * page + 1 : i == 1 ? 3 * page + 2 : page / 2) % pages;
}

struct place {  // the best page and its score
  double score;
  unsigned page;
};

int main() {
  const acre::job job;
  const auto side = static_cast<unsigned>(std::sqrt(acre::size()));
  const acre::team grid = acre::team::cartesian({side, side});
  if (!grid) return 0;  // this rank is not in the grid
  const unsigned r = grid.rank() / side;
  const unsigned c = grid.rank() % side;
  const acre::team row = grid.split(static_cast<int>(r));     // its member c is rank (r, c)
  const acre::team column = grid.split(static_cast<int>(c));  // its member r is rank (r, c)

  const unsigned block = pages / side;
  std::vector<double> scores(block, 1.0 / pages);  // of the pages in block c
  int rounds = 0;
  for (double change = 1; change > 1e-9; ++rounds) {
    std::vector<double> sums(block, 0.0);  // of the pages in block r, by own links
    for (unsigned page = c * block; page < (c + 1) * block; ++page) {
      for (unsigned i = 0; i < links; ++i) {
        const unsigned to = linked(page, i);
        if (to / block == r) sums[to % block] += scores[page % block] / links;
      }
    }
    row.allreduce(std::span(sums));  // over all ranks of the row
    for (double& each : sums) each = 0.15 / pages + 0.85 * each;
    double mine = 0;
    for (unsigned i = 0; r == c && i < block; ++i) mine += std::abs(sums[i] - scores[i]);
    auto all = grid.allreduce_async(mine, acre::op::reproducible_sum);  // in progress …
    if (r == c) scores = sums;
    column.broadcast(std::span(scores), c);  // … while rank (c, c) broadcasts
    change = all.get();
  }

  place best{0, 0};
  for (unsigned i = 0; i < block; ++i) {
    if (scores[i] > best.score) best = {scores[i], c * block + i};
  }
  best = grid.allreduce(best,
                        [](const place& a, const place& b) { return b.score > a.score ? b : a; });
  if (grid.rank() == 0) {
    std::printf("after %d rounds page %u is the first, with %.4f\n", rounds, best.page, best.score);
  }
}
