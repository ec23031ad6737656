// SPDX-License-Identifier: BSD-3-Clause
// Bloom filter rates of all ranks together, with random 8-byte items.
//
//     bench-bloom [calls]      calls: per rank and operation
#include <acre/acre.hpp>

#include <bench/keys.hpp>
#include <bench/phases.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace {

using namespace acre::guarantees;
using namespace acre::bench;
using filter = acre::bloom_filter<std::uint64_t>;

constexpr int rounds = 3;

void measure_single(filter& seen, const std::string& which, std::uint64_t calls, rates& all) {
  const auto [mine, others] = key_sets();
  const auto absent = [&others = others](std::uint64_t i) { return ~others(i); };
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

void measure_local(filter& seen, const std::string& which, std::uint64_t calls, rates& all) {
  const std::vector<std::uint64_t> items = owned_keys(seen, calls);
  measure_each(all, "insert, local" + which, calls,
               [&](auto i) { keep(seen.insert(items[i], local)); });
  measure_each(all, "find, local" + which, calls,
               [&](auto i) { keep(seen.find(items[i], local)); });
  seen.clear();
}

void measure_many(filter& seen, const std::string& which, std::uint64_t calls, rates& all) {
  const auto [mine, others] = key_sets();
  measure(all, "insert_many" + which, calls,
          [&] { in_batches(calls, mine, [&](auto items) { keep(seen.insert_many(items)[0]); }); });
  measure(all, "find_many" + which, calls,
          [&] { in_batches(calls, others, [&](auto items) { keep(seen.find_many(items)[0]); }); });
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
