// SPDX-License-Identifier: BSD-3-Clause
// A table of distances, distributed over all ranks: in boxes, in rows, in a file and back.
#include <acre/arrays.hpp>

#include <cstdio>
#include <string>
#include <vector>

// Prints the owner of each element.
template <class Matrix>
void draw(const char* name, const Matrix& m) {
  if (acre::rank() == 0) {
    std::printf("%s\n", name);
    for (std::size_t i = 0; i < m.extent(0); ++i) {
      std::string row;
      for (std::size_t j = 0; j < m.extent(1); ++j) row += std::to_string(m.owner({i, j}).number());
      std::printf("  %s\n", row.c_str());
    }
  }
  acre::barrier();
}

int main() {
  const acre::job job;

  // One box per rank; element (i, j) is the distance of i and j.
  acre::matrix<int, 2> table(acre::world(), {6, 12});
  acre::generate_with_index(table, [](std::size_t n) {
    const int i = static_cast<int>(n / 12), j = static_cast<int>(n % 12);
    return i < j ? j - i : i - j;
  });
  draw("boxes", table);

  // Collective: each member works on its own elements, and all receive the result.
  const long sum = acre::reduce_on_all(table);
  const auto largest = acre::max_element_on_all(table);
  const auto zeros = acre::count_on_all(table, 0);
  if (acre::rank() == 0) {
    std::printf("sum %ld, largest %d in row %zu, %zu zeros\n", sum, static_cast<int>(*largest),
                largest.index() / 12, zeros);
  }

  // The same bits on any number of ranks, in any distribution and order.
  acre::array<double> fractions(acre::world(), 1000);
  acre::generate_with_index(fractions,
                            [](std::size_t n) { return 1.0 / static_cast<double>(n + 1); });
  const double harmonic = acre::reduce_on_all(fractions, 0, acre::op::reproducible_sum);
  if (acre::rank() == 0) std::printf("1 + 1/2 + ... + 1/1000 = %.17g\n", harmonic);

  // One rank reads a part; its owners take no action.
  if (acre::rank() == 0) {
    std::vector<int> part(2 * 5);
    const acre::box_span<int, 2> here(part.data(), {2, 5});
    acre::copy(acre::sub(table, {.first = {2, 4}, .extents = {2, 5}}), here);
    for (std::size_t i = 0; i < 2; ++i) {
      for (const int each : here.row(i)) std::printf("%3d", each);
      std::printf("\n");
    }
  }
  acre::barrier();

  // The same elements as whole rows, dealt round-robin: each row is plain memory of one rank.
  const auto rows = acre::redistribute(
      table, acre::make_distribution({6, 12}, acre::size(), acre::dist::cyclic, acre::dist::none));
  draw("rows", rows);
  int longest = 0;
  for (std::size_t i = 0; i < rows.local().extent(0); ++i) {
    for (const int each : rows.local().row(i)) longest = each > longest ? each : longest;
  }
  longest = acre::world().allreduce(longest, acre::op::max);

  // Another program, on any number of ranks, can read the file; NumPy can, too.
  const std::string file = "table-" + std::to_string(acre::size()) + ".npy";
  acre::store_npy(file, rows);
  const auto again = acre::load_npy<int, 2>(acre::world(), file);
  if (acre::reduce_on_all(again) != sum || longest != *largest) return 1;
  if (acre::rank() == 0) {
    std::printf("read again\n");
    std::remove(file.c_str());
  }
}
