// SPDX-License-Identifier: BSD-3-Clause
// Four ranks: each writes into the next rank's memory and calls a function there.
#include <acre/acre.hpp>

#include <cstdio>
#include <string>

// Prints one line per rank, in rank order, on rank 0.
void print_in_order(const std::string& line) {
  for (const std::string& each : acre::world().gather(line, 0)) std::puts(each.c_str());
}

int main() {
  const acre::job job;  // this process is one rank of the job until `job` ends
  const acre::rank_t me = acre::rank();
  const acre::rank_t next = (me + 1) % acre::size();

  acre::array<int> boxes(acre::world(), acre::size(), 0);  // one element on each rank
  boxes[next] = 100 + static_cast<int>(me);                // writes into the next rank's memory
  acre::barrier();                                         // now all elements are written
  const int found = boxes.local()[0];                      // own element, as plain memory

  acre::future<std::string> answer = acre::rpc(
      next,
      [](const std::string& dna) {  // runs on the next rank
        return "rank " + std::to_string(acre::rank()) + " says " +
               std::string(dna.rbegin(), dna.rend());
      },
      "GATTACA");

  print_in_order("rank " + std::to_string(me) + " found " + std::to_string(found) + ", and " +
                 answer.get());
}
