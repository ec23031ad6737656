// SPDX-License-Identifier: BSD-3-Clause
// Each rank holds a part of a genome and answers questions about it.
#include <acre/acre.hpp>

#include <cstdio>
#include <numeric>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

// This rank's part. Each rank is a process and has its own variable.
std::string my_part;

std::size_t count_in_part(std::string_view motif) {  // a view of the message, not a copy
  std::size_t times = 0;
  for (std::size_t at = my_part.find(motif); at != std::string::npos;
       at = my_part.find(motif, at + 1)) {
    ++times;
  }
  return times;
}

char base_at(std::size_t place) {
  if (place >= my_part.size()) throw std::out_of_range("no base " + std::to_string(place));
  return my_part[place];
}

int main() {
  const acre::job job;
  constexpr std::string_view genome = "GATTACATACCGAGATTCAGGCTATTGCATGC";
  if (acre::rank() == 0) {  // sends the parts, without waiting for replies
    const auto begin_of = [&](acre::rank_t r) { return r * genome.size() / acre::size(); };
    for (acre::rank_t r = 0; r < acre::size(); ++r) {
      const auto part = genome.substr(begin_of(r), begin_of(r + 1) - begin_of(r));
      acre::rpc_ff(r, [](const std::string& mine) { my_part = mine; }, part);
    }
  }
  acre::drain();  // all ranks: waits until all sent calls have run

  if (acre::rank() == 0) {
    // One query to all ranks; all replies are in flight at the same time.
    std::vector<acre::future<std::size_t>> answers;
    for (acre::rank_t r = 0; r < acre::size(); ++r) {
      answers.push_back(acre::rpc(r, count_in_part, "GA"));
    }
    acre::future<std::size_t> total =
        acre::when_all(std::move(answers)).then([](const std::vector<std::size_t>& each) {
          return std::accumulate(each.begin(), each.end(), std::size_t{0});
        });
    std::printf("GA is there %zu times\n", total.get());

    // The second call needs the first result; then() returns the inner future's value.
    const acre::rank_t last = acre::size() - 1;
    acre::future<char> base =
        acre::rpc(last, [] { return my_part.find('C'); }).then([](std::size_t place) {
          return acre::rpc(0, base_at, place);
        });
    std::printf("where rank %u has its first C, rank 0 has %c\n", last, base.get());

    try {
      std::printf("%c\n", acre::rpc(last, base_at, std::size_t{100}).get());
    } catch (const acre::error& failure) {
      std::printf("%s\n", failure.problem().c_str());
    }
  }
  acre::barrier();  // the other ranks run calls while they wait here
}
