// SPDX-License-Identifier: BSD-3-Clause
// Prints the nodes of a job's ranks, and a grid that places neighbours near each other.
#include <acre/acre.hpp>

#include <cstdio>
#include <string>
#include <vector>

void print_in_order(const acre::team& team, const std::string& line) {
  for (const std::string& each : team.gather(line, 0)) std::puts(each.c_str());
}

int main() {
  const acre::job job;
  const std::string conduit = acre::conduit_name();
  const acre::rank_t leaders = acre::world().allreduce(acre::node().rank() == 0 ? 1U : 0U);
  if (acre::rank() == 0) {
    std::printf("ranks: %u, nodes: %u, joined by: %s\n", acre::size(), leaders,
                conduit.substr(0, conduit.find(' ')).c_str());
  }

  const acre::team grid = acre::team::cartesian<2>();
  const acre::rank_t columns = grid.extents()[1];
  const std::vector<acre::rank_t> at = grid.coordinates(grid.rank());
  const acre::rank_t across = grid.at({at[0], (at[1] + 1) % columns}).world_rank();
  print_in_order(grid, "(" + std::to_string(at[0]) + ", " + std::to_string(at[1]) + ") is rank " +
                           std::to_string(acre::rank()) + "; across is rank " +
                           std::to_string(across) +
                           (acre::node().contains(across) ? ", on its node" : ", on another node"));
}
