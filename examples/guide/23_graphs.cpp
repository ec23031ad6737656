// SPDX-License-Identifier: BSD-3-Clause
// Roads of a ring of towns: shortest distances, numbers of ways of two roads, and triangles.
// One matrix, three semirings.
#include <acre/array/array.hpp>
#include <acre/csr/csr_builder.hpp>
#include <acre/csr/elementwise.hpp>
#include <acre/csr/spgemm.hpp>
#include <acre/csr/spmv.hpp>
#include <acre/launch/job.hpp>

#include <algorithm>
#include <cstdio>

namespace semirings = acre::semirings;

constexpr std::size_t towns = 1000;

/// Any rank adds any road; each entry goes to the rank that holds its row.
acre::csr_matrix<int> build_roads() {
  acre::csr_builder<int> roads(acre::world(), towns, towns);
  for (std::size_t i = acre::rank(); i < towns; i += acre::size()) {
    for (const std::size_t step : {1U, 10U, 11U, 150U}) {
      const std::size_t j = (i + step) % towns;
      const int length = static_cast<int>(step * 2 + i % 7);
      roads.add(i, j, length);
      roads.add(j, i, length);
    }
  }
  return roads.finish(acre::op::min);  // keeps the shorter of two parallel roads
}

/// Each round adds a road to the ways, until no distance gets shorter. (min, +): the sums of
/// plus_times are minima here, and its products are sums of lengths.
int distances_from_first(const acre::csr_matrix<int>& roads, acre::array<int>& far) {
  far.fill(semirings::min_plus<int>::zero());  // infinitely far
  if (acre::rank() == 0) far[0] = 0;
  acre::array<int> nearer(acre::world(), towns);
  for (int rounds = 1;; ++rounds) {
    std::ranges::copy(far.local(), nearer.local().begin());
    acre::spmv<semirings::min_plus<int>>(roads, far, nearer, acre::into::sum);
    const bool is_same = std::ranges::equal(far.local(), nearer.local());
    if (acre::world().allreduce(is_same, acre::op::logical_and)) return rounds;
    std::swap(far, nearer);
  }
}

int main() {
  const acre::job job;
  const auto roads = build_roads();

  acre::array<int> far(acre::world(), towns);
  const int rounds = distances_from_first(roads, far);

  // (+, pair): each pair of roads that meet counts as one way.
  const auto two = acre::spgemm<semirings::plus_pair<int>>(roads, roads);

  // Only between towns joined by a road, each triangle once: its towns in descending order.
  const auto down = acre::select(roads, [](auto i, auto j, int) { return j < i; });
  const auto closed = acre::spgemm<semirings::plus_pair<int>>(down, down, acre::masked_by(down));
  const int triangles = acre::reduce<acre::monoids::plus<int>>(closed);

  if (acre::rank() == 0) {
    std::printf("%zu towns, %zu entries\n", roads.rows(), roads.entries());
    std::printf("after %d rounds town 500 is %d from town 0\n", rounds, int(far[500]));
    std::printf("from town 0 to town 20 lead %d ways of two roads\n", two.get(0, 20).value_or(0));
    std::printf("from town 0 to town 11 lead %d\n", two.get(0, 11).value_or(0));
    std::printf("there are %d triangles\n", triangles);
  }
  acre::barrier();
}
