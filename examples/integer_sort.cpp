// SPDX-License-Identifier: BSD-3-Clause
// ISx integer sort by queues: each rank hosts one, which receives the keys of its range.
//
//   acre run -n 4 example-integer_sort [keys per rank]
//
// Sources: Hanebutte, Hemstad, ISx, PGAS 2015; Brock, Buluç, Yelick, BCL, ICPP 2019.
#include <acre/acre.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <span>
#include <vector>

using key = std::uint32_t;
constexpr unsigned key_bits = 28;
constexpr std::size_t batch = 1024;  // keys of a push

int main(int argc, char** argv) {
  using namespace acre::guarantees;
  const acre::job job;
  const std::size_t mine = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 100'000;
  std::mt19937 random(acre::rank());
  std::vector<key> keys(mine);
  for (key& each : keys) each = static_cast<key>(random() >> (32 - key_bits));

  // Ranges get equal numbers of keys, up to a few standard deviations.
  const double deviation = std::sqrt(static_cast<double>(mine));
  std::vector<acre::fast_queue<key>> buckets;
  for (acre::rank_t host = 0; host < acre::size(); ++host) {
    buckets.emplace_back(acre::world(), acre::hosted_by{host},
                         mine + static_cast<std::size_t>(8 * deviation) + batch);
  }

  const auto owner_of = [](key of) {
    return static_cast<acre::rank_t>(std::uint64_t{of} * acre::size() >> key_bits);
  };
  std::vector<std::vector<key>> piles(acre::size());
  const auto deliver = [&](acre::rank_t owner) {
    if (!buckets[owner].push(piles[owner], only<push>)) {
      throw acre::error("integer_sort", "the keys are not uniform");
    }
    piles[owner].clear();
  };
  for (const key each : keys) {
    const acre::rank_t owner = owner_of(each);
    piles[owner].push_back(each);
    if (piles[owner].size() == batch) deliver(owner);
  }
  for (acre::rank_t owner = 0; owner < acre::size(); ++owner) deliver(owner);
  acre::barrier();  // all keys are in their queues
  const std::span<key> sorted = buckets[acre::rank()].local();
  std::ranges::sort(sorted);  // in place

  // Verification: all keys are there, in order, and in their rank's range.
  const auto in_all = [](std::span<const key> of) {
    std::uint64_t squares = 0;
    for (const key each : of) squares += std::uint64_t{each} * each;
    return std::array{acre::world().allreduce(squares), acre::world().allreduce(of.size())};
  };
  const bool is_mine = std::ranges::is_sorted(sorted) &&
                       (sorted.empty() || (owner_of(sorted.front()) == acre::rank() &&
                                           owner_of(sorted.back()) == acre::rank()));
  const bool is_complete = in_all(sorted) == in_all(keys);
  const bool all_right =
      acre::world().allreduce(is_mine && is_complete ? 1 : 0, acre::op::min) == 1;
  if (acre::rank() == 0) std::printf("%s\n", all_right ? "sorted" : "WRONG");
  return all_right ? 0 : 1;
}
