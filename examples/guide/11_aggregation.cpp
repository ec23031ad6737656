// SPDX-License-Identifier: BSD-3-Clause
// Sorts integers over all ranks twice: key by key, and with keys in batches.
#include <acre/acre.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <random>
#include <vector>

using keys = std::vector<std::uint32_t>;

// Rank r gets the keys from borders[r - 1] to below borders[r]: nearly equal numbers.
keys choose_borders(const keys& mine) {
  const std::size_t sample = 64;
  keys samples = acre::world().allgather(std::span(mine).first(sample));
  std::ranges::sort(samples);
  keys borders;
  for (std::size_t r = 1; r < acre::size(); ++r) borders.push_back(samples[r * sample]);
  return borders;
}

void report(const char* way, const acre::operation_counts& before, keys& got) {
  const acre::operation_counts mine = acre::counters() - before;
  std::vector<std::uint64_t> spent{mine.atomics, mine.writes, mine.messages, got.size()};
  acre::world().reduce(std::span(spent), 0);
  std::ranges::sort(got);
  const keys ends{got.front(), got.back()};
  const keys all = acre::world().gather(std::span(ends), 0);
  const auto per_key = [&](std::size_t i) {
    return static_cast<double>(spent[i]) / static_cast<double>(spent[3]);
  };
  if (acre::rank() == 0) {
    std::printf("%-11s  %zu keys %s; a key: %.1f A, %.1f W, %.1f M\n", way, spent[3],
                std::ranges::is_sorted(all) ? "in order" : "in disorder", per_key(0), per_key(1),
                per_key(2));
  }
}

int main() {
  const acre::job job;
  std::mt19937 random(acre::rank());
  keys mine(2'000);
  for (std::uint32_t& key : mine) key = static_cast<std::uint32_t>(random());
  const keys borders = choose_borders(mine);
  const auto owner = [&](std::uint32_t key) {
    return static_cast<acre::rank_t>(std::ranges::upper_bound(borders, key) - borders.begin());
  };

  // Key by key: an atomic reserves a slot at the owner, and a put fills it.
  const std::size_t room = 2 * mine.size();
  acre::array<std::uint32_t> bucket(acre::world(), room * acre::size());
  acre::array<std::uint64_t> filled(acre::world(), acre::size());
  acre::operation_counts before = acre::counters();
  for (const std::uint32_t key : mine) {
    const std::size_t place = acre::fetch_add(filled.pointer(owner(key)), 1UL);
    acre::put_nbi(bucket.pointer(owner(key) * room + place), key);
  }
  acre::barrier();
  const auto arrived = bucket.local().first(filled.local()[0]);
  keys got(arrived.begin(), arrived.end());
  report("key by key", before, got);

  // In batches: the distributor collects the keys for each rank and sends them together.
  acre::distributor<std::uint32_t> out(acre::world());
  before = acre::counters();
  got.clear();
  const auto keep = [&](std::uint32_t key) { got.push_back(key); };
  for (const std::uint32_t key : mine) out.push(owner(key), key);
  out.finish(keep);
  report("distributor", before, got);
}
