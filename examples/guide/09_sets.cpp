// SPDX-License-Identifier: BSD-3-Clause
// Percolation: in a square grid, each bond between neighbours is open with probability p. Does a
// cluster of connected sites reach from the left edge to the right one?
#include <acre/acre.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <random>

constexpr std::uint64_t side = 200;
constexpr std::uint64_t left = side * side;  // two more elements, one for each edge
constexpr std::uint64_t right = left + 1;

// Calls unite(site, neighbour) for the open bonds of a row to the right and to the next row.
template <class Unite>
void open_bonds(std::uint64_t row, double p, Unite unite) {
  std::mt19937 random(static_cast<unsigned>(row));
  std::uniform_real_distribution<double> draw(0, 1);
  for (std::uint64_t column = 0; column < side; ++column) {
    const std::uint64_t site = row * side + column;
    if (draw(random) < p) unite(site, column + 1 < side ? site + 1 : right);
    if (draw(random) < p && row + 1 < side) unite(site, site + side);
    if (column == 0) unite(site, left);
  }
}

int main() {
  const acre::job job;
  acre::union_find sites(acre::world(), side * side + 2);
  acre::counting_map<std::uint64_t> sizes(acre::world(), 2 * side * side);
  for (const double p : {0.45, 0.55}) {
    {
      acre::buffered writer(sites, acre::uniting);
      for (std::uint64_t row = acre::rank(); row < side; row += acre::size()) {
        open_bonds(row, p, [&](auto one, auto other) { writer.unite(one, other); });
      }
    }  // the writer ends: this rank's bonds are open
    const std::uint64_t clusters = sites.set_count();  // collective: after those of all ranks
    const bool percolates = sites.are_together(left, right);

    sites.compress();  // each site's parent is now the representative of its cluster
    {
      acre::buffered writer(sizes, acre::counting);
      sites.for_each_local([&](std::uint64_t, std::uint64_t cluster) { writer.add(cluster); });
    }
    std::uint64_t largest = 0;
    acre::barrier();  // the sites of all ranks are counted
    for (const auto& [cluster, size] : sizes.local()) largest = std::max(largest, size);
    largest = acre::world().allreduce(largest, acre::op::max);
    if (acre::rank() == 0) {
      std::printf("p = %.2f: %zu clusters, the largest of %zu sites; %s\n", p,
                  static_cast<std::size_t>(clusters), static_cast<std::size_t>(largest),
                  percolates ? "percolates" : "does not percolate");
    }
    sites.clear();
    sizes.clear();
  }
}
