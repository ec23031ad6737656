// SPDX-License-Identifier: BSD-3-Clause
// Four ranks, one address space: each writes into its neighbour's memory, and asks it a question.
#include <acre/acre.hpp>

#include <cstdio>
#include <string>

// A line of each rank, in the order of the ranks.
void print_in_order(const std::string& line) {
  for (const std::string& each : acre::world().gather(line, 0)) std::puts(each.c_str());
}

int main() {
  const acre::job job;  // this process is one rank of many, as long as this lives
  const acre::rank_t me = acre::rank();
  const acre::rank_t next = (me + 1) % acre::size();

  acre::array<int> boxes(acre::world(), acre::size(), 0);  // one element on each rank
  boxes[next] = 100 + static_cast<int>(me);                // into the neighbour's memory
  acre::barrier();                                         // now all boxes are full
  const int found = boxes.local()[0];                      // my own, as plain memory

  acre::future<std::string> answer = acre::rpc(
      next,
      [](const std::string& dna) {  // runs on the neighbour
        return "rank " + std::to_string(acre::rank()) + " says " +
               std::string(dna.rbegin(), dna.rend());
      },
      "GATTACA");

  print_in_order("rank " + std::to_string(me) + " found " + std::to_string(found) + ", and " +
                 answer.get());
}
