// SPDX-License-Identifier: BSD-3-Clause
// Blocks of a matrix by number: this rank's first one, its neighbour and one of any owner, copied
// to local memory while the rank works.
//
//   acre run -n 4 build/bin/example-blocks
#include <acre/array/shift.hpp>
#include <acre/arrays.hpp>

#include <cstdio>
#include <numeric>
#include <vector>

int main() {
  const acre::job job;

  // 4 x 6 blocks of 8 x 8 elements, dealt round-robin; element (i, j) is 1000 i + j.
  auto matrix = acre::make_matrix<double>(
      acre::world(),
      acre::make_distribution({32, 48}, acre::size(), acre::dist::tile(8), acre::dist::tile(8)));
  acre::generate_with_index(
      matrix, [](std::size_t n) { return static_cast<double>(1000 * (n / 48) + n % 48); });

  const auto mine = matrix.local_block(0);
  const auto west = acre::neighbour(mine, {0, -1});  // periodic
  const auto remote = matrix.block({3, 5});

  std::vector<double> west_values(west.size());
  std::vector<double> remote_values(remote.size());
  const auto west_is_here = acre::copy_async(west, west_values);
  const auto remote_is_here = acre::copy_async(remote, remote_values);

  double sum = 0;
  for (const double each : acre::own(matrix)) sum += each;

  west_is_here.wait();
  remote_is_here.wait();
  if (west_values[0] != matrix[west.part().first] || remote_values[0] != 24040) return 1;

  // A box of the same extents, one column further, may belong to two ranks.
  const auto shifted = acre::shift(remote, {0, -1});
  std::vector<double> shifted_values(shifted.size());
  acre::copy_async(shifted, shifted_values).wait();
  if (shifted_values[1] != remote_values[0]) return 1;

  const double all = acre::world().allreduce(sum);
  if (acre::rank() == 0) {
    std::printf("block (3, 5) begins with %g and sums to %g; all elements sum to %g\n",
                remote_values[0], std::accumulate(remote_values.begin(), remote_values.end(), 0.0),
                all);
  }
}
