// SPDX-License-Identifier: BSD-3-Clause
// The 3n + 1 game: n becomes n / 2 if it is even, 3n + 1 if it is odd, until it is 1.
#include <acre/arrays.hpp>

#include <algorithm>
#include <compare>
#include <cstdio>
#include <functional>
#include <ranges>
#include <vector>

struct start {
  unsigned steps;
  unsigned number;
  friend auto operator<=>(const start&, const start&) = default;
};

unsigned long after(unsigned long n) { return n % 2 == 0 ? n / 2 : 3 * n + 1; }

unsigned steps_from(unsigned long n) {
  unsigned steps = 0;
  for (; n != 1; n = after(n)) ++steps;
  return steps;
}

int main() {
  const acre::job job;
  const acre::team& all = acre::world();

  acre::shared_counter next(all);       // distributes the numbers
  acre::shared<unsigned> longest(all);  // one value for all ranks
  acre::coarray<int[4]> tally(all);     // an array on each rank: paths from 0, 50, 100, 150 steps
  acre::list<start> found(all);         // the starts of long paths, in any number

  // A rank that has finished a chunk takes the next one.
  for (const auto chunk : next.chunks(5000, 50)) {
    unsigned most = 0;
    for (const std::size_t i : chunk) {
      const start here{steps_from(i + 1), static_cast<unsigned>(i + 1)};
      ++tally[std::min(here.steps / 50, 3U)];  // plain memory
      if (here.steps >= 200) found.push_back(here);
      most = std::max(most, here.steps);
    }
    longest.fetch_max(most);
  }
  tally.co_sum();  // each rank receives the sums over all ranks
  found.commit();  // publishes the elements of all ranks
  acre::sort(found, std::greater<>());
  if (acre::rank() == 0) {
    std::printf("%d short, %d, %d, %d long\n", tally[0], tally[1], tally[2], tally[3]);
    std::printf("at most %u steps; %zu paths of 200 or more:", longest.get(), found.size());
    for (const start each : found) std::printf(" %u", each.number);
    std::printf("\n");
  }
  acre::barrier();

  // The paths themselves: one row per path, on the rank that holds its start.
  std::vector<std::size_t> lengths;
  for (const start& each : found.local()) lengths.push_back(each.steps + 1);
  acre::ragged_array<unsigned long> paths(all, lengths);
  acre::coarray<unsigned long> peak(all);  // a variable on each rank
  for (std::size_t i = 0; i < paths.local_rows(); ++i) {
    unsigned long n = found.local()[i].number;
    for (unsigned long& each : paths.local_row(i)) {
      each = n;
      *peak = std::max(*peak, n);
      n = after(n);
    }
  }
  acre::barrier();

  // Around the ring: each rank waits only for the rank before it.
  const acre::rank_t me = acre::rank();
  acre::event passed(all);
  if (me != 0) {
    passed.wait();
    const unsigned long before = peak(me - 1);
    *peak = std::max(*peak, before);
  }
  passed.post((me + 1) % acre::size());
  if (me == 0) {
    passed.wait();  // for the last rank
    std::printf("the longest begins");
    for (const unsigned long each : paths[0] | std::views::take(6)) std::printf(" %lu", each);
    const unsigned long highest = peak(acre::size() - 1);
    std::printf("\nthe highest gets to %lu\n", highest);
  }
}
