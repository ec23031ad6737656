// SPDX-License-Identifier: BSD-3-Clause
// Shortest routes on a map of hills: nearest places first, and idle ranks steal.
//
//   acre run -n 4 example-routes
#include <acre/acre.hpp>
#include <acre/ordered.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

constexpr std::uint32_t side = 100;
constexpr std::uint32_t unknown = ~std::uint32_t{0};

// Effort of a step to a place: 1 to 9.
std::uint32_t effort(std::uint32_t place) {
  return static_cast<std::uint32_t>(1 + acre::mix_bits(place) % 9);
}

struct visit {
  std::uint32_t so_far;
  std::uint32_t place;
  friend bool operator<(const visit& a, const visit& b) { return a.so_far < b.so_far; }
};

int main() {
  const acre::job job;
  acre::array<std::uint32_t> efforts(acre::world(), side * side, unknown);
  acre::priority_queue<visit> visits(acre::world());
  if (acre::rank() == 0) visits.push({0, 0});

  // One window at a time: no rank runs far ahead with a poor route.
  constexpr std::uint32_t window = 20;
  while (const auto nearest = visits.least()) {
    visits.work_before({nearest->so_far + window, 0}, [&](const visit& now, auto& more) {
      if (acre::fetch_min(efforts.pointer(now.place), now.so_far) <= now.so_far) return;
      const auto go = [&](std::uint32_t place) {
        more.push(efforts.owner(place), {now.so_far + effort(place), place});
      };
      const std::uint32_t x = now.place % side;
      if (x != 0) go(now.place - 1);
      if (x + 1 != side) go(now.place + 1);
      if (now.place >= side) go(now.place - side);
      if (now.place + side < side * side) go(now.place + side);
    });
  }
  if (acre::rank() == 0) {
    std::printf("the opposite corner takes an effort of %u\n",
                static_cast<unsigned>(efforts[side * side - 1]));
  }
  acre::barrier();
}
