// Rates of a Bloom filter's operations, all ranks together: 8-byte items, every rank
// its own random ones; filters of two rates of false positives.
//
//     bench-bloom [calls]      calls: of each rank, of each operation
#include <acre/acre.hpp>

#include <bench/phases.hpp>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace {

using namespace acre::promises;
using namespace acre::bench;
using filter = acre::bloom_filter<std::uint64_t>;

constexpr int rounds = 3;
constexpr std::uint64_t batch = 1024;

std::uint64_t item_of(std::uint64_t number, acre::rank_t rank) {
  return acre::mix_bits(number * acre::size() + rank + 1);
}
std::uint64_t mine(std::uint64_t i) { return item_of(i, acre::rank()); }
std::uint64_t others(std::uint64_t i) { return item_of(i, (acre::rank() + 1) % acre::size()); }
std::uint64_t absent(std::uint64_t i) { return ~others(i); }

/// One item at a time. Leaves the filter empty.
void measure_single(filter& seen, const std::string& which, std::uint64_t calls, rates& all) {
  const auto each = [&](const std::string& name, auto&& operation) {
    measure_each(all, name + which, calls, operation);
  };
  each("insert", [&](auto i) { keep(seen.insert(mine(i))); });
  each("insert again", [&](auto i) { keep(seen.insert(others(i))); });
  each("find", [&](auto i) { keep(seen.find(others(i))); });
  each("find, only<find>", [&](auto i) { keep(seen.find(others(i), only<find>)); });
  each("find absent", [&](auto i) { keep(seen.find(absent(i))); });
  seen.clear();
  each("insert, only<insert>", [&](auto i) { keep(seen.insert(mine(i), only<insert>)); });
  seen.clear();
}

/// Items of this rank's part, with the promise that nobody else uses it.
void measure_local(filter& seen, const std::string& which, std::uint64_t calls, rates& all) {
  std::vector<std::uint64_t> items;
  for (std::uint64_t i = 0; items.size() < calls; ++i) {
    if (seen.owner(mine(i)) == acre::rank()) items.push_back(mine(i));
  }
  measure_each(all, "insert, local" + which, calls,
               [&](auto i) { keep(seen.insert(items[i], local)); });
  measure_each(all, "find, local" + which, calls,
               [&](auto i) { keep(seen.find(items[i], local)); });
  seen.clear();
}

void measure_many(filter& seen, const std::string& which, std::uint64_t calls, rates& all) {
  std::vector<std::uint64_t> items(batch);
  const auto in_batches = [&](auto&& item, auto&& use) {
    for (std::uint64_t i = 0; i < calls; i += batch) {
      const std::uint64_t here = std::min(batch, calls - i);
      for (std::uint64_t j = 0; j < here; ++j) items[j] = item(i + j);
      keep(use(std::span<const std::uint64_t>(items).first(here))[0]);
    }
  };
  measure(all, "insert_many" + which, calls,
          [&] { in_batches(mine, [&](auto some) { return seen.insert_many(some); }); });
  measure(all, "find_many" + which, calls,
          [&] { in_batches(others, [&](auto some) { return seen.find_many(some); }); });
  seen.clear();
}

}  // namespace

int main(int argc, char** argv) {
  const acre::job job;
  const std::uint64_t calls = calls_wanted(argc, argv, 1'000'000, 2'000);
  rates all;
  for (const auto& [rate, which] : {std::pair{1e-2, " (1e-2)"}, std::pair{1e-6, " (1e-6)"}}) {
    filter seen(acre::world(), calls * acre::size(), rate);
    for (int round = 0; round < rounds; ++round) {
      measure_single(seen, which, calls, all);
      measure_local(seen, which, calls, all);
      measure_many(seen, which, calls, all);
    }
  }
  print(all, calls);
  return 0;
}
