// SPDX-License-Identifier: BSD-3-Clause
// A rank of a job of several programs.
//
//     acre-launcher-programs [sleep]  prints "rank 1 of 3, 1 nodes, sum 6, calls +-+"
#include <acre/acre.hpp>

#include <cstdio>
#include <string>
#include <string_view>
#include <unistd.h>

namespace {

std::string call_all() {
  std::string answers;
  std::string problem;
  for (acre::rank_t each = 0; each < acre::size(); ++each) {
    try {
      answers += acre::rpc(each, [] { return acre::rank(); }).get() == each ? '+' : '?';
    } catch (const acre::error& refused) {
      answers += '-';
      problem = refused.problem();
    }
  }
  if (!problem.empty()) std::fprintf(stderr, "%s\n", problem.c_str());
  return answers;
}

}  // namespace

int main(int argc, char** argv) {
  const acre::job job;
  if (argc > 1 && argv[1] == std::string_view("sleep")) {
    std::printf("%u\n", acre::rank());
    std::fflush(stdout);
    for (;;) ::pause();
  }
  acre::array<unsigned> values(acre::world(), acre::size(), 0U);
  values[(acre::rank() + 1) % acre::size()] = 1 + acre::rank();
  acre::barrier();
  const unsigned sum = acre::world().allreduce(values.local()[0]);
  const unsigned nodes = acre::world().allreduce(acre::node().rank() == 0 ? 1U : 0U);
  const std::string answers = call_all();
  acre::barrier();
  std::printf("rank %u of %u, %u nodes, sum %u, calls %s\n", acre::rank(), acre::size(), nodes, sum,
              answers.c_str());
}
